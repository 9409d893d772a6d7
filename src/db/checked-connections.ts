import type { ClientBase } from 'pg';
import { endWhenReadOnly, noteReadOnly } from './end-when-read-only';
import { endWhenSilent, type Peers } from './end-when-silent';
import { refuseStandby } from './refuse-standby';
import { LIFT_SESSION_LIMITS } from './session-limits';

/**
 * Checks a pool's new connection before anyone gets it: it ends when Postgres falls silent or refuses a write, leads to
 * no standby, and has none of an operator's limits.
 *
 * @param silenceMs see {@link endWhenSilent}; null waits for the kernel
 * @param peers the connections of the pool
 * @throws what {@link refuseStandby} throws
 */
export async function checkConnection(
  client: ClientBase,
  silenceMs: number | null,
  peers: Peers,
): Promise<void> {
  if (silenceMs !== null) endWhenSilent(client, silenceMs, peers);
  endWhenReadOnly(client);
  const { isReadOnly } = await refuseStandby(client);
  noteReadOnly(client, isReadOnly);
  await client.query(LIFT_SESSION_LIMITS);
}

/**
 * Returns the option of a `pg` pool that checks each new connection. `verify` is not used for this: if a waiting
 * caller's time ends during that check, pg-pool 3.14 never gives the connection to another caller, and waits for it
 * forever when the pool is closed.
 *
 * @param silenceMs as of {@link checkConnection}
 */
export function checkedConnections(silenceMs: number | null): {
  onConnect: (client: ClientBase) => Promise<void>;
} {
  const peers: Peers = new Set();
  return { onConnect: (client) => checkConnection(client, silenceMs, peers) };
}
