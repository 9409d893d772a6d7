import { cpuOfTree } from './cpu';

/** Cost of a number of operations in each process. */
export interface Cost {
  operations: number;
  /** CPU milliseconds by process. */
  cpu: ReadonlyMap<string, number>;
}

/** The processes whose CPU is measured, by the name to print. */
export type MeasuredProcesses = Readonly<Record<string, number>>;

/** Starts counting the CPU time of processes and their descendants. */
export function startCost(pids: MeasuredProcesses): (operations: number) => Cost {
  const read = (): Map<string, number> =>
    new Map(
      Object.entries(pids).map(([name, pid]) => [name, pid === process.pid ? ownCpu() : cpuOfTree(pid)]),
    );
  const before = read();
  return (operations) => {
    const after = read();
    return {
      operations,
      cpu: new Map([...after].map(([name, used]) => [name, used - (before.get(name) ?? 0)])),
    };
  };
}

/** CPU time of this process only, because the servers under measurement are its descendants. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** `cpu ms each: postgres 9.3, worker 11.2, temporal 10.4, api 2.1` */
export function formatCost(kind: string, { operations, cpu }: Cost): string {
  const each = [...cpu].map(([name, used]) => `${name} ${(used / operations).toFixed(2)}`);
  return `${kind}: cpu ms each: ${each.join(', ')}`;
}
