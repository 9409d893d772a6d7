import { SEEN_LATELY } from '../credentials/key-ring-store';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

/** Maximum number of jobs counted. A longer queue is no more alarming. */
const MAX_COUNTED = 1_000;

/** Processes of the installation seen recently, and the relay's backlog. */
export interface ProcessSigns {
  apis: number;
  workers: number;
  /** Jobs that may run but are not running. */
  outbox: number;
  /** Since when the oldest of them has been waiting; null if there is none. */
  outboxSince: Instant | null;
}

/** @param at real time */
export async function readProcessSigns(database: Database, at: Instant): Promise<ProcessSigns> {
  const { rows } = await database.raw<{ rows: (ProcessSigns & { outbox: string })[] }>(
    `SELECT count(*) FILTER (WHERE r.process = 'api')::int AS apis,
            count(*) FILTER (WHERE r.process = 'worker')::int AS workers,
            o.items AS outbox, o.oldest AS "outboxSince"
       FROM tollgate.measure_outbox(?, ?) AS o LEFT JOIN tollgate.key_ring_runtimes r ON r.${SEEN_LATELY}
      GROUP BY o.items, o.oldest`,
    [new Date(at), MAX_COUNTED],
  );
  const [signs] = rows;
  if (signs === undefined) throw new Error('The outbox was not measured.');
  return { ...signs, outbox: Number(signs.outbox) };
}
