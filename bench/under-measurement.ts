import { Children } from './children';
import { cpuOfTree } from './cpu';
import type { Round, RoundResult } from './round';
import { measurementOf, type Measurement, type Slice } from './measurement';
import type { Scratch } from './seed';

/** One kind of call, and its target. */
export interface Load {
  name: string;
  target: 'bareKoa' | 'stack' | 'service';
  path: string;
  /** How many customers the calls use. */
  customers: number;
  /** Events per request, for batches. */
  events?: number;
  /** Number of connections, if it differs from that of the others. */
  connections?: number;
  /** A load that runs at the same time. */
  beside?: Omit<Load, 'beside'>;
}

/** Seconds of each load in total, and of its warm-up. */
interface Times {
  seconds: number;
  slices: number;
  warmUpSeconds: number;
}

/** The processes that a benchmark measures, with the load generator. */
export interface UnderMeasurement {
  /** Measures the loads in turns, slice by slice, so that other work of the machine affects all alike. */
  inTurns(loads: readonly Load[], connections: number, times: Times): Promise<Measurement[]>;
  letGo(): void;
}

export async function startUnderMeasurement(
  scratch: Scratch,
  postgresPid: number,
): Promise<UnderMeasurement> {
  const children = new Children();
  const server = children.fork('server', [scratch.appUrl]);
  const ports = await children.reply<{ service: number; stack: number }>(server);
  const bareKoa = children.fork('bare-koa');
  const { port } = await children.reply<{ port: number }>(bareKoa);
  const generator = children.fork('load');
  const besideIt = children.fork('load');
  const answering = {
    bareKoa: { port, pid: bareKoa.pid ?? 0 },
    stack: { port: ports.stack, pid: server.pid ?? 0 },
    service: { port: ports.service, pid: server.pid ?? 0 },
  };

  const roundOf = (load: Load, connections: number, seconds: number): Round => {
    const { path, customers, events, target } = load;
    const url = `http://127.0.0.1:${answering[target].port}`;
    const round = {
      url,
      path,
      key: scratch.key,
      connections: load.connections ?? connections,
      seconds,
      customers,
    };
    return events === undefined ? round : { ...round, events };
  };

  const run = async (load: Load, connections: number, seconds: number): Promise<Slice> => {
    const { pid } = answering[load.target];
    const before = { service: cpuOfTree(pid), postgres: cpuOfTree(postgresPid) };
    let beside: Promise<RoundResult> | undefined;
    if (load.beside !== undefined) {
      beside = children.reply<RoundResult>(besideIt);
      besideIt.send(roundOf(load.beside, connections, seconds));
    }
    generator.send(roundOf(load, connections, seconds));
    const result = await children.reply<RoundResult>(generator);
    await beside;
    const service = cpuOfTree(pid) - before.service;
    return { ...result, cpu: { service, postgres: cpuOfTree(postgresPid) - before.postgres } };
  };

  return {
    async inTurns(loads, connections, { seconds, slices, warmUpSeconds }) {
      for (const load of loads) await run(load, connections, warmUpSeconds);
      const turns = loads.map((load) => ({ load, slices: [] as Slice[] }));
      for (let slice = 0; slice < slices; slice += 1) {
        for (const turn of turns) turn.slices.push(await run(turn.load, connections, seconds / slices));
      }
      return turns.map(({ load, slices: all }) =>
        measurementOf(load.name, load.connections ?? connections, all),
      );
    },
    letGo: () => {
      for (const child of [server, bareKoa, generator, besideIt]) children.letGo(child);
    },
  };
}
