import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/**
 * Maximum number of bytes read of one answer. Exceeds any answer whose headers are within their limit and whose body
 * is abandoned after a chunk.
 */
const MAX_READ = 1_024 * 1_024;

/**
 * Connects for one attempt, and calls `onFlood` when the receiver sends more than an answer can contain. The parser
 * sets no limit on interim answers, reason phrases and chunk extensions, and reading a flood of these would take time
 * from all other attempts.
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
        if (socket.bytesRead > MAX_READ) onFlood();
      });
      callback(null, socket);
    });
  };
}
