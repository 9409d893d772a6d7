import type { ClientBase } from 'pg';
import { driverConnection } from './driver-connection';

/**
 * Ends a connection on which Postgres owes an answer and sends nothing, as when its host or network is lost: the kernel
 * would wait for many minutes. Pending statements fail with `Connection terminated`, and the pool opens another
 * connection. An idle connection stays open.
 *
 * @param client connected; its statements are sent one group at a time
 * @param ms longer than Postgres itself lets a statement run (`statement_timeout`)
 */
export function endWhenSilent(client: ClientBase, ms: number): void {
  const { stream, before } = driverConnection(client);
  let answeredUpTo = stream.bytesWritten;
  // Before the driver's own listener, which may send the next statement: that one is not answered yet.
  before('readyForQuery', () => {
    answeredUpTo = stream.bytesWritten;
  });
  // Node restarts the timer with each read and write, until it has fired.
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredUpTo) stream.setTimeout(ms);
    else stream.destroy(new Error(`Connection terminated: Postgres sent nothing for ${ms / 1_000} s.`));
  });
}
