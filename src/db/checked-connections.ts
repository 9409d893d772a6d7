import type { ClientBase } from 'pg';
import { endWhenReadOnly } from './end-when-read-only';
import { endWhenSilent } from './end-when-silent';
import { refuseStandby } from './refuse-standby';
import { LIFT_SESSION_LIMITS } from './session-limits';

/**
 * Returns the option of a `pg` pool that checks each new connection before anyone gets it: it ends when Postgres falls
 * silent or refuses a write, leads to no standby, and has none of an operator's limits. `verify` is not used for this:
 * if a waiting caller's time ends during that check, pg-pool 3.14 never gives the connection to another caller, and
 * waits for it forever when the pool is closed.
 *
 * @param silenceMs see {@link endWhenSilent}; null waits for the kernel
 */
export function checkedConnections(silenceMs: number | null): {
  onConnect: (client: ClientBase) => Promise<void>;
} {
  return {
    onConnect: async (client) => {
      if (silenceMs !== null) endWhenSilent(client, silenceMs);
      endWhenReadOnly(client);
      await refuseStandby(client);
      await client.query(LIFT_SESSION_LIMITS);
    },
  };
}
