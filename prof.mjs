import { readFileSync } from 'node:fs';
const p = JSON.parse(readFileSync(process.argv[2]));
const self = new Map(); const by = new Map(p.nodes.map(n=>[n.id,n]));
const parent = new Map(); for (const n of p.nodes) for (const c of n.children??[]) parent.set(c,n.id);
const dt=p.timeDeltas; let total=0; const incl=new Map();
p.samples.forEach((id,i)=>{ const n=by.get(id); const d=dt[i]; const f=n.callFrame; 
 const name=f.functionName+' '+f.url.split('/').slice(-2).join('/')+':'+f.lineNumber; if(f.functionName==='(idle)'||f.functionName==='(program)') { self.set(name,(self.get(name)??0)+d); return;}
 total+=d; self.set(name,(self.get(name)??0)+d);
 const seen=new Set(); for(let x=id;x!==undefined;x=parent.get(x)){const m=by.get(x).callFrame; const nm=m.functionName+' '+m.url.split('/').slice(-2).join('/')+':'+m.lineNumber; if(!seen.has(nm)){seen.add(nm); incl.set(nm,(incl.get(nm)??0)+d);} }
});
console.log('busy ms', total/1000);
console.log('SELF'); for (const [k,v] of [...self].sort((a,b)=>b[1]-a[1]).slice(0,45)) console.log((v/1000).toFixed(0).padStart(7), (100*v/total).toFixed(1)+'%', k);
console.log('INCL'); for (const [k,v] of [...incl].sort((a,b)=>b[1]-a[1]).slice(0,60)) console.log((v/1000).toFixed(0).padStart(7), (100*v/total).toFixed(1)+'%', k);
