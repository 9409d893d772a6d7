import { pino, type DestinationStream, type Logger } from 'pino';

/** Where secrets could stand in something that is logged; they are never written. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'key',
  'clientSecret',
  'webhookSecret',
  'connectionString',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `err.config.headers.${name}`]);

/** Postgres quotes the row that it refuses, or its key: an e-mail address, a name, a hash. */
const QUOTED = ['err', 'err.nativeError'].flatMap((error) => [`${error}.detail`, `${error}.where`]);

/**
 * The structured logger of one process.
 *
 * @param destination takes its JSON lines; standard output when left out
 */
export function createLogger(process: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name: process,
    level,
    redact: { paths: [...REDACTED, ...QUOTED], censor: '[redacted]' },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { process },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
