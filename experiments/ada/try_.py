import json,subprocess,sys
from concurrent.futures import ThreadPoolExecutor
OFW='/work/wt-plot/build/ofw'
PL=[("linear","l2-ball:dim=10"),("linear","l1-ball:dim=10"),("quadratic","l2-ball:dim=10"),("quadratic","l1-ball:dim=10"),("alternating","l2-ball:dim=10"),("alternating:block=100","l2-ball:dim=10"),("conflict","l2-ball:dim=10"),("conflict","l1-ball:dim=10"),("ball-constraint","l2-ball:dim=10"),("drifting","l2-ball:dim=10"),("trace-recovery",None)]
def run(l,sets,st,dom,T,seed):
    a=[OFW,"run","-q","--json","--learner",l,"--stream",st,"--rounds",str(T),"--seed",str(seed)]
    if dom: a+=["--domain",dom]
    for s in sets: a+=["--set",s]
    r=subprocess.run(a,capture_output=True,text=True)
    if r.returncode: return (float('nan'),)*2
    d=json.loads(r.stdout); return d["regret"],d["ccv"]
def table(variants,T=10000,seeds=(1,2),places=PL):
    print("%-44s"%"",*["%17s"%(p[0][:10]+"/"+(p[1] or "tr")[:2]) for p in places])
    for name,l,sets in variants:
        row=[]
        for st,dom in places:
            rs=[run(l,sets,st,dom,T,s) for s in seeds]
            row.append("%8.4g/%8.4g"%(sum(r[0] for r in rs)/len(rs),sum(r[1] for r in rs)/len(rs)))
        print("%-44s"%name,*row,flush=True)
