import { pino, type Logger } from 'pino';

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

/** The structured logger of one process (JSON lines on standard output). */
export function createLogger(process: string, level: string): Logger {
  return pino({
    name: process,
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { process },
  });
}
