import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { hostOf } from '../domain/webhook-address';

/**
 * Maximum number of bytes read of one answer. Exceeds any answer whose headers are within their limit and whose body
 * is abandoned after a chunk.
 */
const MAX_READ = 1_024 * 1_024;
/** How often the bytes of a TLS connection are counted. */
const COUNT_MS = 100;
/**
 * How long a connection to one of several addresses may take. Node's default of 250 ms is too short for a distant host,
 * or when this process is busy. A lost packet is repeated after a second.
 */
const ADDRESS_MS = 2_000;

/**
 * Connects for one attempt, and calls `onFlood` when the receiver sends more than an answer can contain. The parser
 * sets no limit on interim answers, reason phrases and chunk extensions, nor TLS on its own messages, and reading a
 * flood of these would take time from all other attempts.
 */
export function boundedConnect(
  { lookup, timeout }: { lookup: LookupFunction; timeout: number },
  onFlood: () => void,
): buildConnector.connector {
  const connect = buildConnector({ lookup, timeout, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
  const startTls = buildConnector({ timeout, maxCachedSessions: 0 });
  return (options, callback) => {
    const isTls = options.protocol === 'https:';
    const port = options.port === '' && isTls ? '443' : options.port;
    // TLS gets a socket of ours, because its own one counts only what it has decrypted.
    connect({ ...options, port, protocol: 'http:' }, (...[error, tcp]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const count = (): void => {
        if (tcp.bytesRead <= MAX_READ) return;
        onFlood();
        // A handshake in progress does not end with its client.
        tcp.destroy();
      };
      if (!isTls) {
        tcp.on('readable', count);
        callback(null, tcp);
        return;
      }
      // What TLS keeps to itself makes nothing readable.
      const timer = setInterval(count, COUNT_MS);
      tcp.once('close', () => {
        clearInterval(timer);
      });
      // Some servers refuse a server name with the trailing dot that RFC 6066 rules out. An IP address is no such name.
      const host = hostOf(options.hostname);
      startTls({ ...options, servername: isIP(host) === 0 ? host : '', httpSocket: tcp }, callback);
    });
  };
}
