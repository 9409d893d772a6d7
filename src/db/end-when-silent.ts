import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/**
 * Ends a connection on which Postgres owes an answer and sends nothing, as when its host or network is lost: the kernel
 * would wait for many minutes. Pending statements fail with `Connection terminated`, and the pool opens another
 * connection. An idle connection stays open.
 *
 * @param client connected; its statements are sent one group at a time
 * @param ms longer than Postgres itself lets a statement run (`statement_timeout`)
 */
export function endWhenSilent(client: ClientBase, ms: number): void {
  const { stream, onAnswered } = socketOf(client);
  let answeredUpTo = stream.bytesWritten;
  onAnswered(() => {
    answeredUpTo = stream.bytesWritten;
  });
  // Node restarts the timer with each read and write, until it has fired.
  stream.setTimeout(ms);
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredUpTo) stream.setTimeout(ms);
    else stream.destroy(new Error(`Connection terminated: Postgres sent nothing for ${ms / 1_000} s.`));
  });
}

function socketOf(client: ClientBase): { stream: Socket; onAnswered: (listener: () => void) => void } {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof EventEmitter)) throw new TypeError('A client has no connection.');
  const stream: unknown = Reflect.get(connection, 'stream');
  if (!(stream instanceof Socket)) throw new TypeError('A connection has no socket.');
  // Before the driver's own listener, which may send the next statement: that one is not answered yet.
  return { stream, onAnswered: (listener) => connection.prependListener('readyForQuery', listener) };
}
