import { pino, type DestinationStream, type Logger } from 'pino';

/** Paths at which logged objects may contain secrets. They are never written. */
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

/** Postgres quotes the rejected row, or its key: an e-mail address, a name, a hash. */
const QUOTED = ['err', 'err.nativeError'].flatMap((error) => [`${error}.detail`, `${error}.where`]);

/**
 * Creates the structured logger of one process.
 *
 * @param destination receives its JSON lines; standard output if omitted
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
