import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of this many milliseconds (USER_HZ is 100 on every common platform). */
const TICK_MS = 10;

function statOf(pid: number): { parent: number; ticks: number } | undefined {
  try {
    // The name in parentheses may contain spaces, so fields are counted from after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime, stime and those of ended children, so that a backend that exits is still counted.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
    return { parent: Number(fields[1] ?? 0), ticks };
  } catch {
    return undefined;
  }
}

/** Returns the CPU milliseconds that a process and its descendants have used so far. */
export function cpuOfTree(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) }));
  const inTree = new Set([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { pid, stat } of processes) {
      if (stat !== undefined && inTree.has(stat.parent) && !inTree.has(pid)) {
        inTree.add(pid);
        grew = true;
      }
    }
  }
  return (
    processes.reduce((sum, { pid, stat }) => sum + (inTree.has(pid) ? (stat?.ticks ?? 0) : 0), 0) * TICK_MS
  );
}
