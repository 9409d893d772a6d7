import { Children } from './children';
import { cpuOfTree } from './cpu';
import type { Round, RoundResult } from './load';
import { measurementOf, type Measurement, type Slice } from './measurement';
import type { Scratch } from './seed';

/** One kind of call, and who answers it. */
export interface Load {
  name: string;
  target: 'bareKoa' | 'stack' | 'service';
  path: string;
  /** How many customers the calls go to. */
  customers: number;
}

/** In seconds: what each load gets in all, and before. */
interface Times {
  seconds: number;
  slices: number;
  warmUpSeconds: number;
}

/** The processes that a benchmark measures, with the load generator. */
export interface UnderMeasurement {
  /** Measures the loads in turns, slice by slice, so that they share what the machine does besides. */
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
  const answering = {
    bareKoa: { port, pid: bareKoa.pid ?? 0 },
    stack: { port: ports.stack, pid: server.pid ?? 0 },
    service: { port: ports.service, pid: server.pid ?? 0 },
  };

  const run = async (load: Load, connections: number, seconds: number): Promise<Slice> => {
    const { port, pid } = answering[load.target];
    const { path, customers } = load;
    const url = `http://127.0.0.1:${port}`;
    const round: Round = { url, path, key: scratch.key, connections, seconds, customers };
    const before = { service: cpuOfTree(pid), postgres: cpuOfTree(postgresPid) };
    generator.send(round);
    const result = await children.reply<RoundResult>(generator);
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
      return turns.map((turn) => measurementOf(turn.load.name, connections, turn.slices));
    },
    letGo: () => {
      for (const child of [server, bareKoa, generator]) children.letGo(child);
    },
  };
}
