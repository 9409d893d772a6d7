import type { ClientBase } from 'pg';
import { driverConnection } from './driver-connection';

/** The open connections of a pool: each as a function that ends it if it is idle and was last answered before then. */
export type Peers = Set<(answeredBefore: number) => void>;

/**
 * Ends a connection on which Postgres owes an answer and sends nothing, as when its host or network is lost: the kernel
 * would wait for many minutes. Pending statements fail with `Connection terminated`, and the pool opens another
 * connection. An idle connection stays open, unless one of its pool that was answered as recently falls silent: what
 * loses one route (a failover, a firewall that forgets its connections) mostly loses all, and each would keep a caller
 * waiting for as long.
 *
 * @param client connected; its statements are sent one group at a time
 * @param ms longer than Postgres itself lets a statement run (`statement_timeout`)
 * @param peers the connections of its pool, to which it is added
 */
export function endWhenSilent(client: ClientBase, ms: number, peers: Peers = new Set()): void {
  const { stream, before } = driverConnection(client);
  let answeredUpTo = stream.bytesWritten;
  let answeredAt = performance.now();
  const owesAnswer = (): boolean => stream.bytesWritten !== answeredUpTo;
  // Before the driver's own listener, which may send the next statement: that one is not answered yet.
  before('readyForQuery', () => {
    answeredUpTo = stream.bytesWritten;
    answeredAt = performance.now();
  });
  const endIdle = (answeredBefore: number): void => {
    if (owesAnswer() || answeredAt >= answeredBefore) return;
    stream.destroy(new Error('Connection terminated: Postgres did not answer on another one of the pool.'));
  };
  peers.add(endIdle);
  stream.on('close', () => peers.delete(endIdle));
  // Node restarts the timer with each read and write, until it has fired.
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (!owesAnswer()) {
      stream.setTimeout(ms);
      return;
    }
    // First, so that whoever tries again gets none of them.
    for (const endPeer of peers) endPeer(performance.now() - ms);
    stream.destroy(new Error(`Connection terminated: Postgres sent nothing for ${ms / 1_000} s.`));
  });
}
