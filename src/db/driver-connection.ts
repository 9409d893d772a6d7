import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** A message of Postgres, as the driver names it. */
type Message = 'errorMessage' | 'parameterStatus' | 'readyForQuery';

/** What the driver does not expose of a client's connection. */
interface DriverConnection {
  stream: Socket;
  on: (message: Message, listener: (content: unknown) => void) => void;
  /** Calls the listener before the driver's own. */
  before: (message: Message, listener: () => void) => void;
}

export function driverConnection(client: ClientBase): DriverConnection {
  const connection: unknown = Reflect.get(client, 'connection');
  if (!(connection instanceof EventEmitter)) throw new TypeError('A client has no connection.');
  const stream: unknown = Reflect.get(connection, 'stream');
  if (!(stream instanceof Socket)) throw new TypeError('A connection has no socket.');
  return {
    stream,
    on: (message, listener) => connection.on(message, listener),
    before: (message, listener) => connection.prependListener(message, listener),
  };
}
