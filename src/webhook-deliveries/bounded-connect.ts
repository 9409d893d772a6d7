import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** More than an answer whose headers are within their limit and whose body is left after a chunk (bytes). */
const MOST_READ = 1_024 * 1_024;

/**
 * Connects for one attempt, and says when the receiver has sent more than an answer has. The parser has no bound for
 * interim answers, reason phrases and chunk extensions, and to read a flood of these takes the time of all other attempts.
 */
export function boundedConnect(
  { lookup, timeout }: { lookup: LookupFunction; timeout: number },
  onFlood: () => void,
): buildConnector.connector {
  const connect = buildConnector({ lookup, timeout });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      socket.on('readable', () => {
        if (socket.bytesRead > MOST_READ) onFlood();
      });
      callback(null, socket);
    });
  };
}
