import { writeSync } from 'node:fs';
import { pino, type DestinationStream, type Logger } from 'pino';
import { errorCode } from '../domain/errors';

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

const STANDARD_OUTPUT = 1;
/** Bytes of lines that wait for standard output. Further ones are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
/** The pause before the last lines are offered again to a reader that is behind (milliseconds). */
const BUSY_MS = 100;

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
  return pino(options, destination ?? standardOutput());
}

/**
 * Returns standard output. If it accepts nothing, such as a file on a full disk or a terminal that is gone, lines wait
 * until it does. pino's own would throw where nobody catches it, and then, as the process ends, repeat the write until
 * it succeeds: the process would neither work nor end.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: STANDARD_OUTPUT, maxLength: MAX_WAITING });
  let isFailing = false;
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('write', () => {
    isFailing = false;
  });
  // Called as the process ends. The write that fails may be this one.
  stream.flushSync = () => {
    if (!isFailing) writeWaiting(Reflect.get(stream, '_bufs'));
  };
  return stream;
}

/** Writes the lines that sonic-boom 4 keeps in `waiting`. Gives up if standard output accepts nothing. */
function writeWaiting(waiting: unknown): void {
  if (!Array.isArray(waiting)) return;
  let rest = Buffer.from(waiting.splice(0).join(''));
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(STANDARD_OUTPUT, rest));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    }
  }
}
