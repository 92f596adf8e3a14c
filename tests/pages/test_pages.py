#!/usr/bin/python3
"""The manual and the completions: everything there is stands in them, nothing else does, and what they say is so.

    test_pages.py --ofw PATH --pages PATH --build FOLDER [--filter SUBSTRING]

What must be there is asked of the program (its help, its refusals, a trace) and of the registries' source, never of
ofw-pages, which wrote the pages.
"""
import argparse
import filecmp
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
import shells                                                         # noqa: E402
from program import Failure, Ofw, check, same, strict_json            # noqa: E402

# Texts that mean something to scdoc, to roff or to a shell.
ODD = ["plain", "it's", "-dash first", ".TH stop first", "'quote first", "# hash", "; semicolon", "| bar", "[ bracket",
       "] bracket", "`tick`", " blank first", "a*bold*b", "_under_ f_t(x_t)", "C:\\back\\slash\\", "T^(3/4) ~ <d, v>",
       'say "so"', "ends with ++", "$HOME `id` $(id)", "50% of %s", "a:b:c", "x=\\:y", "{brace,list}*?", "1. one",
       "\\fBroff\\fR", "one\\'two", "+"]


def read_page(path):
    """Its sections as they are read: {"NAME": [lines], ...}; a line is a whole paragraph, "## " before a subsection."""
    env = os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "4000"}
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", str(path)], env=env, capture_output=True,
                          encoding="utf-8", check=False)
    same((done.returncode, done.stderr), (0, ""), f"{path}: code and warnings")
    sections, lines = {}, None
    for line in done.stdout.splitlines()[1:-1]:                   # without the head and the foot
        if re.match(r"\S", line):
            lines = sections.setdefault(line, [])
        elif line.strip():
            lines.append(line[7:] if line.startswith("       ") else "## " + line.strip())
    return sections


class Pages:
    """The program under test and what was built beside it."""

    def __init__(self, args, folder):
        self.ofw, self.folder = Ofw(os.path.abspath(args.ofw), folder), folder
        self.pages, self.build = os.path.abspath(args.pages), pathlib.Path(args.build).resolve()
        self.completion = str(self.build / "completion")

    def parts(self):
        """{"domain": names, ...} as the registries' source has them."""
        found = {}
        for noun in ("domain", "learner", "stream"):
            source = (ROOT / f"src/{noun}/{noun}s.c").read_text(encoding="utf-8")
            rows = re.findall(r"#define OFW_\w+\(row\)((?:.*\\\n)+.*)", source)
            found[noun] = [name.replace("_", "-") for name in re.findall(r"row\((\w+)\)", "".join(rows))]
            check(found[noun], f"no {noun} is registered")
        return found

    def commands(self):
        names = re.findall(r"^  (\w+) {2,}\S.*$", self.ofw.run().stdout, re.M)
        check(len(names) >= 4, "there are few commands")
        return names

    def help(self, name):
        done = self.ofw.run("help", name)
        same((done.returncode, done.stderr), (0, ""), f"help {name}")
        return done.stdout

    def command_options(self, command):
        """(its forms as the help has them: '--quiet, -q'; its help text)"""
        rows = re.findall(r"^  (--\S+(?: \S+)*?) {2,}(\S.*)$", self.help(command).replace(", -", ",-"), re.M)
        rows = [(form.replace(",-", ", -"), text) for form, text in rows]
        check(rows, f"{command} has no options")
        return rows

    def page(self, name, section):
        return read_page(self.build / f"man/man{section}/{name}.{section}")


def section_of(command):
    return 8 if command == "serve" else 1      # for administrators


# --- what there is ------------------------------------------------------------------------------

def test_a_page_for_each_and_no_other(p):
    wanted = {"ofw.1", "ofw-mpi.1", "ofw-checkpoint.5", "ofw-pipe.5", "ofw-trace.5"} | {f"ofw-{name}.{section_of(name)}" for name in p.commands()}
    wanted |= {f"ofw-{noun}s.7" for noun in p.parts()}
    found = {path.name for path in (p.build / "man").glob("man*/*")}
    same(sorted(found), sorted(wanted), "pages")
    scripts = sorted(path.name for path in pathlib.Path(p.completion).iterdir())
    same(scripts, ["_ofw", "ofw.bash", "ofw.fish"], "scripts")
    prose = {path.name[:-4] for path in (ROOT / "docs/man").iterdir()}
    same(sorted(prose - wanted), [], "templates of no page")


def test_pages_name_and_point(p):
    """whatis can read them, and each points to all others."""
    paths = sorted((p.build / "man").glob("man*/*"))
    for path in paths:
        name, section = path.name.rsplit(".", 1)
        done = subprocess.run(["lexgrog", str(path)], capture_output=True, encoding="utf-8", check=False)
        check(re.search(rf'"{name} - \S.*"', done.stdout), f"lexgrog: {done.stdout!r}")
        others = {"{}({})".format(*other.name.rsplit(".", 1)) for other in paths if other != path}
        same(set(" ".join(p.page(name, section)["SEE ALSO"]).split(", ")), others, f"{path.name} points to")


def test_pages_are_read_as_typed(p):
    """Nothing is hyphenated in a narrow window, and no reader's system may turn - ' ` ^ ~ into something else."""
    for path in sorted((p.build / "man").glob("man*/*")):
        env = os.environ | {"LC_ALL": "C.UTF-8", "MANWIDTH": "50"}
        done = subprocess.run(["man", "-l", path], env=env, capture_output=True, encoding="utf-8", check=True)
        check("\N{HYPHEN}" not in done.stdout, f"{path.name} is hyphenated")
        for line in path.read_text(encoding="utf-8").splitlines():
            check(re.match(r"\.(?!S[SH])|\\h", line) or not re.search(r"(?<!\\)-|['`^~]", line), f"{path.name}: {line}")


def test_overview_has_every_command(p):
    lines = p.page("ofw", 1)["COMMANDS"]
    same(lines[::2], [f"ofw-{name}({section_of(name)})" for name in p.commands()], "commands")
    overview = p.ofw.run().stdout
    for name, summary in zip(p.commands(), lines[1::2]):
        check(re.search(rf"^  {name} +{re.escape(summary.strip())}$", overview, re.M), f"{name}: {summary!r}")


def test_command_pages_have_every_option(p):
    for name in p.commands():
        sections = p.page(f"ofw-{name}", section_of(name))
        same(sections["SYNOPSIS"], [re.match(r"usage: (.*)\n", p.help(name)).group(1)], f"{name}: synopsis")
        wanted = [line for form, text in p.command_options(name) for line in (form, "    " + text)]
        same(sections["OPTIONS"], wanted, f"{name}: options")


def refused_range(p, noun, name, key):
    """The range that the program names where a value is beyond it: 'LOWER to UPPER; '."""
    pair = f"{key}=1.7e308"
    common = ["--learner", "ofw-tvc", "--domain", "l2-ball:dim=3", "--horizon", "9", "--lipschitz", "1", "--loss-bound",
              "1", "--strong-convexity", "1"]
    if noun == "domain":
        args = ["pipe", *common[:3], f"{name}:{pair}", *common[4:]]
    elif noun == "learner":
        args = ["pipe", common[0], name, *common[2:], "--set", pair]
    else:
        args = ["run", *common, "--rounds", "1", "--stream", f"{name}:{pair}"]
    done = p.ofw.run(*args)
    found = re.search(rf"{key}=1.7e308 is not in \[(\S+), (\S+)\]", done.stderr)
    check(found, f"{noun} {name}: {done.stderr!r}")
    return f"{found.group(1)} to {found.group(2)}; "


def part_options(p, noun, name, text):
    """The lines of a page that the options in a part's help come to."""
    for key, form, default, rows in re.findall(r"^  ([a-z0-9-]+)=(\S+)  \((.*)\)\n((?: {6}.*\n)+)", text, re.M):
        words = " ".join(row.strip() for row in rows.splitlines())
        numeric = re.match(r"NUMBER|COUNT", form)
        yield from (f"{key}={form}", "    " + words,
                    f"    ({refused_range(p, noun, name, key) if numeric else ''}{default})")


def test_part_pages_have_every_option(p):
    for noun, names in p.parts().items():
        sections = p.page(f"ofw-{noun}s", 7)
        lines, common = sections[f"{noun.upper()}S"], sections.get(f"OPTIONS OF ALL {noun.upper()}S")
        same([line[3:] for line in lines if line.startswith("## ")], names, f"{noun}s")
        for name in names:
            own, _, shared = p.help(name).partition(f"\nlike all {noun}s\n")
            head, _, options = own.partition("\n\n")
            head = head.replace("for instance ", "For instance ").splitlines()
            wanted = [head[0].removeprefix(f"{name} - "), *head[1:], *part_options(p, noun, name, options)]
            at = lines.index("## " + name) + 1
            rest = [*lines[at:], "## "]
            same(rest[:next(i for i, line in enumerate(rest) if line.startswith("## "))], wanted, name)
            same(common, list(part_options(p, noun, name, shared)) or None, f"{name}: options of all")


PLAY = ["run", "--learner", "ofw-tvc", "--domain", "l2-ball:dim=2", "--stream", "linear", "--rounds", "3", "-q"]


def test_trace_page_has_every_column(p):
    """In a trace's order; the whole numbers are those of the public structure."""
    p.ofw.run(*PLAY, "--trace", "t.csv")
    lines = pathlib.Path(p.ofw.file("t.csv")).read_text(encoding="utf-8").splitlines()
    header = [line for line in lines if line.startswith("#")]
    row = (ROOT / "include/ofw/run.h").read_text(encoding="utf-8")
    whole = re.split(r"\W+", " ".join(re.findall(r"uint64_t ([\w, ]+);", row)))
    sections = p.page("ofw-trace", 5)
    wanted = [f"{name} ({'whole number' if name in whole else 'number'})" for name in lines[len(header)].split(",")]
    same(sections["COLUMNS"][::2], wanted, "columns")
    check(all(line.startswith("    ") for line in sections["COLUMNS"][1::2]), "a column without a meaning")
    documented = [line for line in sections["HEADER LINES"] if line.startswith("# ")]
    first = [[re.match(r"# (\w+)", line).group(1) for line in lines] for lines in (header, documented)]
    same(first[1], first[0], "header lines")


def test_overview_has_every_exit_code(p):
    source = (ROOT / "cli/cli.h").read_text(encoding="utf-8")
    codes = re.findall(r"EXIT_\w+ = (\d+)", source)
    check(len(codes) >= 6, "there are few exit codes")
    same(p.page("ofw", 1)["EXIT STATUS"][::2], codes, "exit codes")


def test_run_page_has_every_result(p):
    lines = p.page("ofw-run", 1)["OUTPUT"][1:]
    documented = [name for line in lines if not line.startswith(" ") for name in line.split(", ")]
    same(documented, list(strict_json(p.ofw.run(*PLAY, "--json").stdout)), "fields of the result")


def test_metrics_page_has_every_metric(p):
    p.ofw.run(*PLAY, "--trace", "t.csv")
    fields = list(strict_json(p.ofw.run("metrics", "t.csv", "--json").stdout)["traces"][0])
    documented = [line for line in p.page("ofw-metrics", 1)["OUTPUT"] if re.fullmatch(r"\w+", line)]
    same(documented, fields[1:], "metrics")


def test_growth_pages_have_every_result(p):
    args = ["--learner", "ofw-tvc", "--stream", "linear", "--domain", "l2-ball:dim=2", "-q", "--json"]
    tuned = strict_json(p.ofw.run("tune", *args, "--rounds", "9").stdout)
    grown = strict_json(p.ofw.run("growth", *args, "--rounds", "9,18,36", "--seeds", "8").stdout)
    def documented(page):
        lines = [line for line in p.page(page, 1)["OUTPUT"] if re.fullmatch(r"\w+(, \w+)*", line)]
        return [name for line in lines for name in line.split(", ")]
    same(documented("ofw-tune"), list(tuned), "fields of ofw tune")
    same(documented("ofw-growth"), list(grown["rows"][0]), "fields of a row")
    text = " ".join(p.page("ofw-growth", 1)["OUTPUT"] + p.page("ofw-tune", 1)["OUTPUT"])
    inside = [*grown, *tuned["runs"][0]]
    same([name for name in inside if not re.search(rf"\b{name}\b", text)], [], "fields that are not documented")
    compared = strict_json(p.ofw.run("compare", *args, "--rival", "opdp", "--rounds", "9").stdout)
    text = " ".join(p.page("ofw-compare", 1)["OUTPUT"])
    inside = [*compared, *compared["learners"][0], *compared["duels"][0]]
    same([name for name in inside if not re.search(rf"\b{name}\b", text)], [], "fields that are not documented")


def test_export_page_has_every_table(p):
    p.ofw.write("experiment.ini", experiment())
    same(p.ofw.run("sweep", "experiment.ini", "-o", "out", "-q").returncode, 0, "the sweep")
    lines = p.page("ofw-export", 1)["TABLES"]
    tables = {name.strip(): text for name, text in zip(lines[::2], lines[1::2], strict=True)}
    done = p.ofw.run("export", "out", "--table", "?")
    same(sorted(tables), sorted(done.stderr.strip().split("it has ")[1].split(", ")), "tables")
    docs = (ROOT / "docs/experiments.md").read_text(encoding="utf-8").split("## The database")[1]
    for table, text in tables.items():
        columns = p.ofw.run("export", "out", "--table", table).stdout.splitlines()[0].split(",")
        same([name for name in columns if not re.search(rf"\b{name}\b", text)], [], f"columns of {table}")
        same([name for name in columns if not re.search(rf"\b{name}\b", docs)], [], f"{table} in docs/experiments.md")
        same(re.search(rf"^    {table} ", docs, re.M) is not None, True, f"{table} in docs/experiments.md")
def test_data_page_has_every_result(p):
    p.ofw.write("ratings", "1 1 3\n2 2 4\n")
    found = strict_json(p.ofw.run("data", "describe", "ratings", "--json").stdout)
    lines = [line for line in p.page("ofw-data", 1)["OUTPUT"] if re.fullmatch(r"\w+(, \w+)*", line)]
    same([name for line in lines for name in line.split(", ")], list(found), "fields of ofw data describe")


# --- what the pages say is so -------------------------------------------------------------------

def experiment():
    """The file that docs/experiments.md shows, and that the pages of sweeps speak of."""
    text = (ROOT / "docs/experiments.md").read_text(encoding="utf-8")
    return re.search(r"^```ini experiment\.ini\n(.*?)^```$", text, re.S | re.M).group(1)


def test_examples_run(p):
    played = 0
    p.ofw.write("experiment.ini", experiment())
    for path in sorted((p.build / "man").glob("man1/*")):
        lines = "\n".join(p.page(*path.name.rsplit(".", 1)).get("EXAMPLES", [])).replace("\\\n", " ").splitlines()
        for line in lines:
            if line.startswith("    echo "):                          # into a file that the next line needs
                subprocess.run(["sh", "-c", line], cwd=p.folder, check=True)
            if not line.startswith("    ofw "):
                continue
            done = p.ofw.run(*shlex.split(line)[1:])
            same(done.returncode, 0, f"{path.name}: {line!r}: {done.stderr!r}")
            played += 1
    check(played >= 6, f"{played} examples")


def test_protocol_examples(p):
    """The pipe's page, line for line."""
    args = ["pipe", "--learner", "ofw-tvc", "--set", "sigma=line-search", "--domain", "l1-ball:dim=3,radius=2",
            "--horizon", "1000", "--lipschitz", "2"]
    sections = p.page("ofw-pipe", 5)
    said = [line.split(maxsplit=1) for line in sections["DESCRIPTION"] if re.match(r"    std(in|out)  ", line)]
    done = p.ofw.run(*args, stdin="".join(text + "\n" for name, text in said if name == "stdin"))
    same(done.stdout.splitlines(), [text for name, text in said if name == "stdout"], "the decisions")
    said = [line.split(maxsplit=1) for line in sections["REQUESTS"] if re.match(r"    std(in|out)  ", line)]
    matrices = ["pipe", "--learner", "ogd", "--set", "step=0.25", "--domain", "trace-ball:rows=2,cols=3,radius=9", "--horizon", "9", "--lipschitz", "9"]
    step = '{"loss":1,"loss_gradient":[-4,0,2,1,0,-2]}\n'              # a quarter of it, the other way
    done = p.ofw.run(*matrices, stdin=step + "".join(text + "\n" for name, text in said if name == "stdin"))
    same(done.stdout.splitlines()[1:], [text for name, text in said if name == "stdout"], "the answers")
    lines = [line.strip() for line in sections["ERRORS"][1:]]
    check(len(lines) >= 16 and len(lines) % 2 == 0, "the errors are not pairs")
    for line, message in zip(lines[::2], lines[1::2]):
        done = p.ofw.run(*args, stdin=line + "\n")
        same((done.returncode, done.stderr), (3, message + "\n"), line)
    script = "\n".join(line for line in sections["EXAMPLES"] if line.startswith("    "))
    env = os.environ | {"PATH": os.path.dirname(p.ofw.path) + ":" + os.environ["PATH"]}
    done = subprocess.run(["sh", "-e"], input=script, cwd=p.folder, env=env, capture_output=True, encoding="utf-8",
                          timeout=60, check=False)
    same((done.returncode, done.stderr), (0, ""), "the shell's player")


def test_protocol_has_every_field(p):
    """Of a decision, whoever makes it; the learners' first ones are asked."""
    documented = [line for line in p.page("ofw-pipe", 5)["DECISIONS"] if re.fullmatch(r"\w+", line)]
    printed = set()
    for name in p.parts()["learner"]:
        done = p.ofw.run("pipe", "--learner", name, "--domain", "l2-ball:dim=3", "--horizon", "9", "--lipschitz", "1",
                         "--loss-bound", "1", "--strong-convexity", "1")
        fields = list(strict_json(done.stdout))
        same(fields, [field for field in documented if field in fields], f"{name}: {done.stderr!r}, fields")
        printed.update(fields)
    same(sorted(documented), sorted(printed), "fields")


# --- how they are made --------------------------------------------------------------------------

def write_pages(p, folder):
    subprocess.run([str(ROOT / "cli/pages/write-pages"), p.pages, "scdoc", folder], check=True)


def test_none_is_stale(p):
    """Written again, also over what should not be there, they are the build's to the byte."""
    for folder in ("man/man1", "completion"):
        os.makedirs(os.path.join(p.folder, folder))
        pathlib.Path(p.folder, folder, "ofw-gone.1").write_text("no longer registered", encoding="utf-8")
    write_pages(p, p.folder)
    for folder in ("man/man1", "man/man5", "man/man7", "man/man8", "completion"):
        compared = filecmp.dircmp(os.path.join(p.folder, folder), p.build / folder)
        same((compared.left_only, compared.right_only), ([], []), folder)
        _, differ, odd = filecmp.cmpfiles(compared.left, compared.right, compared.common, shallow=False)
        same((differ, odd), ([], []), f"{folder}: files that differ")


def test_a_command_may_do_without_prose(p):
    """A page of tables alone; a page that is all prose cannot be missing, nor can a mark that nothing stands for."""
    def write(names):
        for folder in ("prose", "out"):
            os.makedirs(p.ofw.file(folder), exist_ok=True)
        for name in names:
            shutil.copy(ROOT / "docs/man" / name, p.ofw.file("prose"))
        return subprocess.run([p.pages, "man", p.ofw.file("prose"), p.ofw.file("out")], capture_output=True,
                              encoding="utf-8", check=False)
    done = write([])
    same((done.returncode, done.stderr.count("\n")), (1, 1), "without any prose")
    done = write(["ofw.1.scd", "ofw-mpi.1.scd", "ofw-checkpoint.5.scd", "ofw-pipe.5.scd", "ofw-trace.5.scd"])
    same((done.returncode, done.stderr), (0, ""), "with the prose that must be")
    for name in ("ofw-run.1", "ofw-domains.7"):
        source = pathlib.Path(p.ofw.file(f"out/{name}.scd")).read_text(encoding="utf-8")
        check(("--learner" if name == "ofw-run.1" else "## box") in source, f"{name}: {source!r}")
    p.ofw.write("prose/ofw-run.1.scd", "@options\n@nothing\n")
    same(write([]).stderr, "ofw-pages: no mark @nothing\n", "an unknown mark")


def quoted(p, language, text):
    done = subprocess.run([p.pages, "quote", language, text], check=True, capture_output=True, encoding="utf-8")
    return done.stdout.rstrip("\n")


def test_any_text_in_a_page(p):
    """Whatever a table says, the reader sees it so: as a paragraph, indented, after a line break."""
    body, wanted = "", []
    for i, text in enumerate(ODD):
        scd = quoted(p, "scd", text)
        body += f"## {i}\n\n{scd}\n\n*key*\n\t{scd}++\n{scd}\n\n"
        wanted += [f"## {i}", text.strip(), "key", text.strip(), text.strip()]
    with open(p.ofw.file("odd.7"), "w", encoding="utf-8") as page:
        subprocess.run([ROOT / "cli/pages/to-man", "scdoc"], input=f"odd(7)\n\n# NAME\n\nodd - odd\n\n# ODD\n\n{body}",
                       stdout=page, encoding="utf-8", check=True)
    same([line.strip() for line in read_page(p.ofw.file("odd.7"))["ODD"]], wanted, "texts")


def test_any_text_in_a_script(p):
    def described(text):
        return [text.replace("\\", "\\\\").replace(":", "\\:") + ":" + text]
    for language, command, wanted in (("bash", "printf '%s\\n'", lambda text: [text]),
                                      ("fish", "printf '%s\\n'", lambda text: [text, text]),
                                      ("zsh", "print -rl --", described)):
        script = "".join(f"{command}{quoted(p, language, text)}\n" for text in ODD)
        done = subprocess.run([language, "-c", script], env=shells.environment("", p.folder), capture_output=True,
                              encoding="utf-8", check=True)
        same(done.stdout.splitlines(), [line for text in ODD for line in wanted(text)], language)


# --- completion ---------------------------------------------------------------------------------

def expected(p):
    """{line: the words that may follow, each whole}"""
    parts, lines = p.parts(), {}
    keys = {name: re.findall(r"^  ([a-z0-9-]+)=", p.help(name), re.M) for names in parts.values() for name in names}
    lines["ofw "] = [*p.commands(), "--help", "-h", "--version", "-V"]
    for name in p.commands():
        forms = " ".join(form for form, _ in p.command_options(name))
        lines[f"ofw {name} -"] = re.findall(r"(?:^|(?<= ))--?[a-z-]+", forms)
    lines["ofw list "] = [noun + "s" for noun in parts]
    lines["ofw help "] = p.commands() + sum(parts.values(), [])
    lines["ofw run --learner "] = lines["ofw pipe --learner "] = parts["learner"]
    for noun in ("domain", "stream"):
        lines[f"ofw run --{noun} "] = [name + ":" for name in parts[noun]]
        for name in parts[noun]:
            lines[f"ofw run --{noun} {name}:"] = [f"{name}:{key}=" for key in keys[name]]
            lines[f"ofw run --{noun}={name}:"] = [f"--{noun}={name}:{key}=" for key in keys[name]]
    for name in parts["learner"]:
        for line in (f"ofw run --learner {name} --set ", f"ofw pipe --learner={name} --set "):
            lines[line] = [key + "=" for key in keys[name]]
        for key, words in re.findall(r"^  ([a-z0-9-]+)=(?:NUMBER\|)?([a-z|-]+)  ", p.help(name), re.M):
            lines[f"ofw run --learner {name} --set {key}="] = [f"{key}={word}" for word in words.split("|")]
    lines["ofw run --set "] = sorted({key + "=" for name in parts["learner"] for key in keys[name]})
    lines["ofw run --set=sigma=l"] = ["--set=sigma=line-search"]
    lines["ofw run --json --le"] = ["--learner"]
    lines["ofw run --seed "] = lines["ofw run --rounds 3 --no-such "] = lines["ofw nothing "] = []
    lines["ofw run --domain l1-ball:dim=3,r"] = ["l1-ball:dim=3,radius="]
    lines["ofw run --domain 'shrunk:of="] = ["shrunk:of=("]
    lines["ofw run --domain 'shrunk:factor=0.5,of=(l1"] = ["shrunk:factor=0.5,of=(l1-ball:"]
    lines["ofw run --domain 'shrunk:of=(l1-ball:"] = ["shrunk:of=(l1-ball:dim=", "shrunk:of=(l1-ball:radius="]
    lines["ofw run --domain 'shrunk:of=(l1-ball:dim=3),fa"] = ["shrunk:of=(l1-ball:dim=3),factor="]
    lines["ofw run --domain 'counted:of=(shrunk:of=(box:low"] = ["counted:of=(shrunk:of=(box:lower="]
    lines["ofw run --domain 'shrunk:of=(l1-ball:dim=3)"] = []
    lines["ofw metrics some-"] = lines["ofw data describe some-"] = ["some-file.csv"]
    lines["ofw data i"], lines["ofw data generate f"] = ["import"], ["filmtrust"]
    lines["ofw data import movie"] = ["movielens-100k"]
    lines["ofw data generate filmtrust -o some-"] = lines["ofw data generate filmtrust --output some-"] = ["some-file.csv"]
    for before in ("--trace ", "--trace=", "--stream replay:file=", "--domain box:lower=@"):
        lines[f"ofw run {before}some-"] = [before.split()[-1] * (not before.endswith(" ")) + "some-file.csv"]
    return lines


def behind_break(line, word):
    """What readline wants of a word: what follows the last : = or ( of what was typed, outside quotes."""
    typed = line.split(" ")[-1]
    return word if typed[:1] == "'" else word[len(re.match(r"(.*[:=(])?", typed).group()):]


def test_completion(p):
    p.ofw.write("some-file.csv", "")
    lines = expected(p)
    for shell in (shells.bash, shells.zsh, shells.fish):
        for line, words in zip(lines, shell(p.completion, p.folder, list(lines)), strict=True):
            wanted = [behind_break(line, word) for word in lines[line]] if shell is shells.bash else lines[line]
            same(sorted(set(words)), sorted(set(wanted)), f"{shell.__name__}: {line!r}")


def test_tab(p):
    """In a terminal: what stands on the line after Tab."""
    p.ofw.write("some-file.csv", "")
    lines = {"ofw ru": "ofw run ", "ofw run --le": "ofw run --learner ",
             "ofw run --domain trace": "ofw run --domain trace-ball:",
             "ofw run --domain l1-ball:dim=3,r": "ofw run --domain l1-ball:dim=3,radius=",
             "ofw run --domain=l1-ball:dim=3,r": "ofw run --domain=l1-ball:dim=3,radius=",
             "ofw run --learner ofw-tvc --set or": "ofw run --learner ofw-tvc --set oracle-tolerance=",
             "ofw run --learner ofw-tvc --set sigma=l": "ofw run --learner ofw-tvc --set sigma=line-search ",
             "ofw run --trace some": "ofw run --trace some-file.csv "}
    for shell in (shells.bash_tab, shells.zsh_tab):
        for line, after in zip(lines, shell(p.completion, p.folder, list(lines)), strict=True):
            same(after, lines[line], f"{shell.__name__}: {line!r}")
        after = shell(p.completion, p.folder, ["ofw run --domain box:lower=@some"])[0]     # readline writes \\@
        same(shlex.split(after)[-1], "box:lower=@some-file.csv", f"{shell.__name__}: a file behind @")


def test_scripts_parse(p):
    for command, script in (("bash -n", "ofw.bash"), ("zsh -n", "_ofw"), ("fish -n", "ofw.fish")):
        done = subprocess.run([*command.split(), os.path.join(p.completion, script)], capture_output=True,
                              encoding="utf-8", check=False)
        same((done.returncode, done.stdout, done.stderr), (0, "", ""), command)


# --- running ------------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser(description="the manual and the completions")
    parser.add_argument("--ofw", required=True, metavar="PATH")
    parser.add_argument("--pages", required=True, metavar="PATH", help="ofw-pages")
    parser.add_argument("--build", required=True, metavar="FOLDER", help="where man and completion are")
    parser.add_argument("--filter", default="", metavar="SUBSTRING")
    args = parser.parse_args()
    passed = failed = 0
    for function in [value for name, value in globals().items() if name.startswith("test_")]:
        name = function.__name__[5:].replace("_", " ")
        if args.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Pages(args, folder))
                print(f"ok   {name}", flush=True)
                passed += 1
            except Exception as failure:          # a test that stumbles over the output has failed too
                print(f"FAIL {name}: {failure if isinstance(failure, Failure) else repr(failure)}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
