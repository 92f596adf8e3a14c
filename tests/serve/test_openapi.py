#!/usr/bin/python3
"""The interface as a document: it has the paths of the server and no others, and Redocly's linter finds nothing.

    test_openapi.py [--redocly PATH]
"""
import argparse
import json
import os
import re
import subprocess
import sys

from service import HERE, OPENAPI, Failure, check, same

ROOT = os.path.join(HERE, "..", "..")


def operations():
    return {(method.upper(), path): operation for path, item in OPENAPI["paths"].items() for method, operation in item.items() if method != "parameters"}


def check_routes():
    with open(os.path.join(ROOT, "server", "route.c"), encoding="utf-8") as file:
        routes = re.findall(r'\{"(\w+)", "(/[^"]*)", on_\w+, BODY_(\w+), (\d)\}', file.read())
    check(len(routes) > 10, "the table of routes is not found")
    same(sorted((method, path) for method, path, _, _ in routes), sorted(operations()), "paths")
    for method, path, body, is_open in routes:
        operation = operations()[method, path]
        kinds = list(operation.get("requestBody", {}).get("content", {}))
        same(kinds, {"NONE": [], "JSON": ["application/json"], "LINES": ["application/json", "application/x-ndjson"]}[body], f"{method} {path}: bodies")
        same(operation.get("security") == [{}], is_open == "1", f"{method} {path}: needs no token")


def check_page():
    """docs/service.md names every path."""
    with open(os.path.join(ROOT, "docs", "service.md"), encoding="utf-8") as file:
        page = file.read()
    for method, path in operations():
        check(f"`{method} {path.replace('{id}', 'ID')}`" in page, f"docs/service.md lacks {method} {path}")


def check_lint(redocly):
    env = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    done = subprocess.run([redocly, "lint", "--format=json", os.path.join(ROOT, "server", "openapi.json")], env=env, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    same((found["totals"]["errors"], found["totals"]["warnings"]), (0, 0), f"{json.dumps(found['problems'])[:500]}: errors and warnings")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--redocly", default=os.path.join(ROOT, "web", "node_modules", ".bin", "redocly"))
    args = parser.parse_args()
    try:
        check_routes()
        check_page()
        check_lint(args.redocly)
    except Failure as failure:
        print(f"test_openapi.py: {failure}", file=sys.stderr)
        return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
