#!/usr/bin/python3
"""Writes the first inputs of each target into tests/fuzz/corpus; 'make fuzz-corpus' then leaves out what reaches nothing new."""
import gzip
import pathlib
import random
import re

import corpus

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

LINES = [b'{"loss":1.5,"loss_gradient":[1,-2e3,0.25],"constraint":-1,"constraint_gradient":[0,1,0]}',
         b'{"loss":0,"loss_gradient":{"index":[0,4],"value":[1,-1]},"constraint":[1,2],"constraint_gradient":[[1],{"value":[3],"index":[2]}]}',
         b'{ "constraint" : [] , "constraint_gradient" : [] , "loss" : -0.5E-3 , "loss_gradient" : [ ] }\r',
         b'{"loss":3}', b'{"loss":3,"constraint":[1,-1]}', b'{}', b'{"loss":1e999}', b'{"loss":01}', b'{"los":1}', b'{"loss":1,"loss":1}',
         b'{"loss":1,"loss_gradient":{"index":[1.5],"value":[1]}}', b'{"loss":1,"loss_gradient":[1],"constraint":1}', b'[1]', b'{"loss":nan}',
         b'{"loss":1,"loss_gradient":{"u":[1,2],"v":{"index":[2,0],"value":[1,-1]},"scale":-0.5}}', b'{"loss":1,"loss_gradient":{"u":[1],"v":[1,2,3]}}',
         b'{"loss":1,"loss_gradient":{"index":[10000000000],"value":[1]}}']
HINTS = [b'{"loss":1,"loss_gradient":[1],"next_constraint":-1,"next_constraint_gradient":[0,1,0]}',
         b'{"next_constraint_gradient":[[1],{"value":[3],"index":[2]}],"loss":0,"loss_gradient":[1],"constraint":1,"constraint_gradient":[1],"next_constraint":[1,2]}',
         b'{"loss":1,"loss_gradient":[1],"next_constraint":[],"next_constraint_gradient":[]}', b'{"loss":1,"loss_gradient":[1],"next_constraint":2}',
         b'{"loss":1,"next_constraint":2}']
ASKS = [b'{"ask":{"entries":[0,5,5]}}', b'{"ask":{"cells":[[0,2],[1,0]]}}', b'{"ask":{"row":1}}', b'{"ask":{"dot":{"index":[1],"value":[2]}}}',
        b'{"ask":{"dot":{"scale":2,"v":[1,2,3],"u":{"index":[1],"value":[1e300]}}}}', b'{"ask":{"top":{"row":1,"k":2,"exclude":[2,2,0]}}}',
        b'{"ask":{"top":{"k":1}}}', b'{"ask":{"row":2}}', b'{"ask":{"entries":[6]}}', b'{"ask":{"row":1},"loss":1}', b'{"ask":{}}']
DOMAINS = ["l1-ball:dim=3,radius=2", "l2-ball:dim=4", "linf-ball:dim=2,radius=1e-3", "box:lower=@low,upper=@high", "box:dim=3,lower=-1,upper=2",
           "simplex:dim=5,sum=2", "trace-ball:rows=3,cols=3,radius=3", "shrunk:factor=0.5,of=(box:dim=3,lower=1,upper=2)",
           "counted:of=(shrunk:factor=0.25,of=(simplex:dim=3))", "l2-ball:dim=1000000000000", "trace-ball:rows=1000000,cols=1000000",
           "paths:graph=(1 2;2 3;1 3),from=1,to=3", "flows:graph=(1 2 2;2 3;1 3),from=1,to=3,value=1.5", "matchings:graph=(1 3;1 4;2 3)",
           "perfect-matchings:graph=(1 3;1 4;2 3;2 4)", "spanning-trees:graph=(1 2;2 3;1 3)", "transport:supply=(1,2),demand=(2,1)",
           "box:lower=@.,upper=1", "hull:points=(0 0;1 0;0 2;1 1)", "polytope:rows=(x1+x2<=1;x1>=0;x2>=0)", "l2-bal:dim=3", "l2-ball:dim=3,dim=4", "l2-ball:dim=3,", "box:lower=@none,upper=@high", ""]
STREAMS = ["linear", "quadratic", "alternating", "ball-constraint", "conflict", "drifting", "replay:file=rounds", "trace-recovery", "uneven:times=rare,period=2",
           "matrix-completion:file=ratings,batch=2", "matrix-completion:users=4,items=5,ratings=8,batch=2,rank=1",
           "matrix-completion:file=ratings,batch=1,constraint=exposure,holdout=0.2,order=file"]
EXPERIMENT = """; an experiment
[experiment]
title = A title
rounds = 100
seeds = 2 ; a comment
series = 5

[stream one]
stream = quadratic
domain = l2-ball:dim=3

[learner ofw-tvc]
beta = 0.1, 1,
  10
tune = no
[learner other]
learner = ogd
streams = one
horizon = auto
[claim better]
text = It is better
better = ofw-tvc
than = other
metric = regret, ccv
"""
INCLUDES = ["""include = 1
[experiment]
rounds = 7
[every learner]
constraints = sum
[learner ofw-tvc]
tune = fine
constants = beta, strong-convexity
figure = ours
\f""" + EXPERIMENT, "include = 1\f; first\ninclude = 2\n[stream one]\nstream =;linear\n\f" + EXPERIMENT, "include = 0\n", "include = 1\finclude = 7\n"]
RATINGS = [b"1 1 5\n1 2 3\n2 1 4.5\n2 3 1e0\n", b"user,item,rating,time\n0,0,1,3\n0,1,2,1\n4,4,-3,2\n0,0,5,9\n", b"1::1::5::978300760\n1::2::3::978302109\n",
           b"1\t1\t5\t10\r\n\r\n 2 2 1 5 \n", b"1 1 nan\n", b"1 1\n", b"0 0 1\n1 1 2\n", b"1000000 1000000 1\n", b"", b"\0", gzip.compress(b"1 1 5\n2 2 4\n", mtime=0)]
GRAPHS = ["1 2\n2 3\n1 3\n", "1 2 3\n1 3 1.5\n2 4 2\n3 4 1\n2 3 1\n3 2 1\n", "# none\n\n5 7\n7 9 1\n9 5\n5 5\n", "1 3\n1 4\n2 3\n2 4\n2 5\n6 5\n",
          "c of shortest paths\np sp 4 4\na 1 2 1\na 2 3 1\na 3 4 2\na 1 4 9\n", "p max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 4 4\na 1 4 1\n",
          "p min 3 2\na 1 2 0 3 1\na 2 3 0 2 -1\n", "p edge 4 5\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n", "p asn 4 3\na 1 3 4\na 1 4 2\na 2 3 1\n",
          "1 2\n1 x\n", "1 2\n3 4\n", "1\n", "p sp 2 2\na 1 2 1\n", "1 2 1e-300\n", "1 1000000000001\n", ""]
GRAPH_SETS = [("flows", "from=1,to=4"), ("flows", "from=1,to=3,value=0.5"), ("matchings", ""), ("paths", "from=1,to=4"), ("paths", "from=1,to=3"),
              ("perfect-matchings", ""), ("spanning-trees", "")]
TRANSPORTS = ["supply=(1,2),demand=(2,1)", "supply=(1,0,2.5),demand=(0.5,3)", "supply=(1,2),demand=(1,1)", "supply=(1e100,1e-100),demand=(1e100)"]
COLUMNS = b"round,loss,constraint,loss_sum,ccv,comparator_loss_sum,target_loss_sum,price,sigma,gap,oracle_calls,passes,oracle_error,seconds\n"
TRACES = [b"# learner=ofw-tvc\n#stream=quadratic\n" + COLUMNS + b"1,1,-1,1,0,0.5,,1,0.5,2,1,0,0,0.1\n2,0.5,,1.5,0,1,,1,0.25,1,2,0,0,0.2\n4,1,2,3,2,2,,inf,1,1,4,0,0,0.25\n",
          COLUMNS, COLUMNS + b"1,1,1\n", b"1,2\n", COLUMNS + b"1,,,,,,,,,,1,2,,\n" + b"1,,,,,,,,,,1,2,,\n", b"# no end"]

POLYTOPES = [b"# a comment\ndim 3\nx1 + x2 <= 1\nx1 >= 0\n-1 <= x2 <= 1 # so\n0 <= x3 <= 2\n3x1 - 2*x2 + x3 <= 4\n", b"x1+x2+x3=1\nx1>=0\nx2>=0\nx3>=0\n",
             b"x1 + 2 x2 + 1 <= 3 - x1\n1 >= x1 >= -1\nx2 >= -5e-1\n", b"x1+x2<=1\nx1+x2>=1\n0<=x1<=1\n", b"x1+x2<=1\nx1+x2>=2\n", b"x1<=1\nx1-x2<=3\n",
             b"-1e-25<=x1+x2<=1e-25\n-1e25<=x1-x2<=1e25\n", b"x1<=1\nx1>=2\n", b"1<=x1>=0\n", b"x0<=1\n", b"1e31x1<=1\n", b"x1=0\n", b"dim 9999\n", b"dim 2\nx3<=1\n",
             b"x1-x2=1\nx2-x3=1\nx3=1\n", b"1e9x1+1e-9x2<=1\n0<=x1<=1e-9\n0<=x2<=1e9\n",
             b"NAME t\nROWS\n N c\n L a\n G b\n E e\nCOLUMNS\n x c 1 a 1\n x b 1\n y a 1 e -1\n z e 1\nRHS\n r a 4 b 1\n r e 7\nRANGES\n r a 2.5\nBOUNDS\n"
             b" UP b x 4\n LO b y -1\n UP b y 1\n FR b z\nENDATA\n",
             b"ROWS\n N o\n L a\nCOLUMNS\n x a 1 o 1\n y a 2\nRHS\n a 3\nENDATA\n", b"ROWS\n L a\nCOLUMNS\n M 'MARKER' 'INTORG'\nENDATA\n",
             b"ROWS\n L a\n L a\n", b"NAME\nOBJSENSE\n MAX\nROWS\n E a\nCOLUMNS\n x a 1\n y a 1\nRANGES\n r a -1\nBOUNDS\n UP b x 1\n FX b y .5\n MI b x\nENDATA\n"]

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT "
# On a whole results database, whose schema may be written to.
STATEMENTS = ["", "UPDATE arm SET stream = 's' || char(10) || 'system \"id > pwn\"' || char(10) || '#'", "UPDATE arm SET label = CAST(x'ff41' AS TEXT)",
              "UPDATE arm SET label = 'caf\u00e9', options = 'a=1 b=2'", "UPDATE arm SET label = 'a' || char(0) || 'b'",
              "DROP VIEW play; CREATE VIEW play AS " + ENDLESS + "x AS cell FROM n", "CREATE TRIGGER t AFTER INSERT ON cell BEGIN DELETE FROM cell; END",
              "DROP TABLE timing; CREATE VIEW timing AS " + ENDLESS + "x, 'm', 's', 1.0 FROM n", "CREATE VIRTUAL TABLE w USING fts3(x)",
              "CREATE INDEX i ON series (abs(ccv))", "UPDATE cell SET passes = -1", "UPDATE cell SET arm = 9", "UPDATE cell SET rounds = 9223372036854775807",
              "UPDATE cell SET exit_code = 7, status = 'failed', error = 'why'; DELETE FROM series", "DELETE FROM cell WHERE cell = 1; DELETE FROM series WHERE cell = 1",
              "UPDATE cell SET factor1 = 9e999", "UPDATE cell SET loss = 9e999, regret = -9e999, ccv = NULL, G = 0.0", "UPDATE cell SET role = 'tune'; DELETE FROM series",
              "UPDATE cell SET seed = 5", "UPDATE cell SET arm = 3 - arm; DELETE FROM series", "INSERT INTO arm SELECT 3, stream, stream_spec, domain, label, learner, 'x=1', 0, NULL, NULL FROM arm",
              "UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'cell'", "UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'arm'",
              "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '')", "ANALYZE", "VACUUM", "PRAGMA encoding = 'UTF-16'; VACUUM", "DELETE FROM arm; DELETE FROM cell; DELETE FROM series; "
              "DELETE FROM timing; DELETE FROM timing_series", "UPDATE meta SET value = '[experiment]' WHERE key = 'experiment'", "UPDATE meta SET value = 3 WHERE key = 'format'",
              "UPDATE meta SET value = replace(value, 'seeds = 3', 'seeds = 1000000') WHERE key = 'experiment'", "DELETE FROM meta", "DROP TABLE meta",
              "UPDATE meta SET value = replace(value, 'rounds = 9', 'rounds = 9' || char(13)) WHERE key = 'experiment'", "ALTER TABLE arm ADD COLUMN more TEXT",
              "UPDATE cell SET config = printf('%.*c', 100000, 'x')", "UPDATE series SET round = 10 WHERE round = 9", "UPDATE timing SET machine = char(155)"]

BUDGETS = [b"campaign,budget\na,10\n", b"campaign,day,budget\na,0,5\nb,0,1e-3\na,1,7\nb,2024-02-29,3\nb,,9\n", b'{"campaign":"a","budget":4}\n{"campaign":"caf\\u00e9","budget":1e18}\n',
           b"campaign,budget\na,-1\n", b"campaign\na\n", b'"campaign","budget"\n"a,b",0\n', b""]
AUCTIONS = [b"time,campaign,value,cost\n" + b"".join(b"%d,%s,%d,%d.5\n" % (900 * i, b"ab"[i % 2:i % 2 + 1], 1 + i % 5, i % 4) for i in range(60)),
            b'{"time":0,"campaign":"a","value":2,"cost":1}\n{"time":"1970-01-01T05:00:00Z","campaign":"caf\\u00e9","value":1e18,"cost":0,"x":[{"y":"z"}]}\n',
            b"cost,x,value,campaign,time\r\n1,,2,\"a,b\",2024-02-29T00:00:00+01:00\r\n1,,2,\"a,b\",2024-03-01 00:00\r\n", b"time,campaign,value,cost\n5,a,1,1\n4,a,1,1\n",
            b"time,campaign,value,cost\n-1e12,a,0,0\n1e12,a,1e18,1e18\n", b"time,campaign,value\n", b""]


# Of a client of 'ofw serve', by the first byte: a document, a line of feedback, several, a path; with a delay a line, several.
REQUESTS = [b'\0{"learner":"ofw-tvc","domain":"l1-ball:dim=4,radius=1","options":{"horizon":100,"sigma":"line-search"},"seed":3,"name":"a \\u00e4\\ud83d\\ude00","state":"b2Z3"}',
            b'\0{"learner":"ofw-ada","domain":"hull:points=(0 0;1 0;0 1)"}', b'\0{"domain":"box:lower=@x,upper=1","learner":"ofw-ada"}', b'\0{"options":{"a":1,"b":"(x,y)"}}', b"\0{}", b'\0{"state":"\\x"}',
            b'\1{"round":1,"loss":1,"loss_gradient":[1,2],"constraint":0.5,"constraint_gradient":[0,1]}', b'\1{"round":2,"loss":1,"loss_gradient":[1,2]}',
            b'\1{"round":1,"loss":1,"loss_gradient":[1e308,1e308],"constraint":1e308,"constraint_gradient":[1e308,1e308],"id":"x"}',
            b'\2{"round":1,"loss":1,"loss_gradient":[1,2]}\n{"round":2,"loss":-1,"loss_gradient":{"index":[1],"value":[3]}}\r\n\n{"round":4}', b"\2\n\n", b"\1",
            b"\3/v1/sessions/0123456789abcdef/decision", b"\3/v1/sessions", b"\3/../etc", b"\3127.0.0.1:80", b"\3[::1]", b"\3/v1/sessions/0123456789abcdef/decide",
            b'\4{"ask":{"decide":{"round":1}},"id":7}', b'\4{"ask":{"decide":{}}}', b'\4{"round":9223372036854775808,"loss":1,"loss_gradient":[1,2]}', b'\4{"ask":{"info":{}}}',
            b'\5' + b"".join(b'{"ask":{"decide":{"round":%d}}}\n' % t for t in range(1, 7)),
            b'\5{"ask":{"decide":{"round":1}}}\n{"ask":{"decide":{"round":2}}}\n{"round":2,"loss":1,"loss_gradient":[1,2]}\n{"ask":{"decide":{"round":3}}}\n'
            b'{"round":1,"loss":1e308,"loss_gradient":[1e308,2],"constraint":[1],"constraint_gradient":[[1,0]]}\n{"round":1,"loss":1,"loss_gradient":[1,2]}']


def learners():
    """The registered ones."""
    return [name.replace("_", "-") for name in re.findall(r"row\((\w+)\)", (ROOT / "src/learner/learners.c").read_text())]


def write(name, inputs, first=0):
    seeds = {f"seed-{i:03}": data for i, data in enumerate(inputs, first)}
    corpus.write(name, corpus.read(name) | seeds)


def main():
    draw = random.Random(1)
    write("ndjson", [bytes([mode]) + line for line in LINES for mode in range(3)] + [b"\0" + line for line in ASKS])
    write("ndjson", [bytes([mode]) + line for line in HINTS for mode in range(3)], first=200)
    specs = [f"{d}\n{s}\nofw-tvc\nbeta=1" for d in DOMAINS for s in STREAMS[:3]]
    specs += [f"{d}\n{s}\nofw-ada" for s in STREAMS for d in ("box:lower=@low,upper=@high", "trace-ball:rows=3,cols=3", "")]
    specs += [f"l2-ball:dim=3\nquadratic\n{name}\nsample=yes\nconstraints=sum" for name in learners()]
    write("spec", [s.encode() for s in specs])
    write("ini", [EXPERIMENT.encode(), *map(str.encode, INCLUDES), *(p.read_bytes() for p in sorted((ROOT / "experiments").glob("*.ini")))])
    write("ratings", [bytes([how, packed, 0, 0]) + data for data in RATINGS for how in (2, 8) for packed in (0, 1)])
    write("polytope", POLYTOPES)
    write("pace", [budgets + b"\f" + auctions for budgets in BUDGETS for auctions in AUCTIONS])
    write("trace", TRACES)
    write("serve", REQUESTS)
    write("graph", [f"{name}{how} {options}\n{graph}".encode() for name, options in GRAPH_SETS for graph in GRAPHS for how in ("", "@")])
    write("graph", [f"transport {sums}".encode() for sums in TRANSPORTS], 500)
    golden = ROOT / "tests/golden"
    write("checkpoint", [b"\0" + p.read_bytes() for p in sorted(golden.glob("checkpoint-*"))])
    write("log", [b"\0" + p.read_bytes() for p in sorted(golden.glob("log-*"))])
    for name in ("checkpoint", "log"):
        write(name, [b"\1" + bytes(draw.randrange(256) for _ in range(120)) for _ in range(20)], 100)
    for name in ("play", "state"):
        write(name, [bytes(draw.randrange(256) for _ in range(draw.choice((40, 120, 400)))) for _ in range(60)])
    write("database", [b"\1" + text.encode() for text in STATEMENTS] + [b"\2", b"\0", b"\0SQLite format 3\0"])
    write("database", [b"\2" + bytes(draw.randrange(256) for _ in range(draw.choice((4, 12, 40)))) for _ in range(20)], 100)


if __name__ == "__main__":
    main()
