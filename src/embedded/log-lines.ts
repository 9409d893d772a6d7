import { createWriteStream } from 'node:fs';
import { z } from 'zod';

const NAME_WIDTH = 8;
const SHOWN_OTHERWISE = new Set(['level', 'time', 'msg', 'name', 'process', 'err']);
const entrySchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().default('') });

/**
 * Formats a line printed by one of the service's processes for the terminal: the process's name, and for a structured
 * entry the time of day, the level, the message and the rest as key=value.
 */
export function readableLine(name: string, line: string): string {
  const prefix = `${name.padEnd(NAME_WIDTH)} `;
  const entry = entrySchema.safeParse(parse(line)).data;
  if (entry === undefined) return prefix + line;
  const { level, time, msg, err } = entry;
  const details = Object.entries(entry)
    .filter(([key]) => !SHOWN_OTHERWISE.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = `${prefix}${time.slice(11, 19)} ${level.padEnd(5)} ${msg}${details.join('')}`;
  const stack = z.looseObject({ stack: z.string() }).safeParse(err).data?.stack;
  return stack === undefined
    ? head
    : [head, ...stack.split('\n').map((row) => `${prefix}  ${row}`)].join('\n');
}

/** Creates a writer of lines to a file, truncated first because a server's log is read only if something is wrong. */
export function logFile(file: string): (line: string) => void {
  const stream = createWriteStream(file);
  // A full disk must not end the service because of a log.
  stream.on('error', () => undefined);
  return (line) => {
    stream.write(`${line}\n`);
  };
}

function parse(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
