import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { UnusableStateError, type StoredGraph } from './stored-graph';

/** Increase it when stored data changes its meaning; new members need no new version. */
const VERSION = 1;
const HEADER = /^tollgate-simulators ([0-9]+) ([0-9a-f]{8})\n/;
const MAX_HEADER_LENGTH = 100;

/**
 * Replaces the file with this state. If the process is killed in between, the file holds the previous state or this
 * one, never a part. It is not flushed to disk, so a power cut may lose the last moments.
 */
export function writeState(file: string, graph: StoredGraph): void {
  const content = serialize(graph);
  const header = `tollgate-simulators ${VERSION} ${checksumOf(content)}\n`;
  const unfinished = `${file}.new`;
  // It contains keys, so only its owner may read it.
  writeFileSync(unfinished, Buffer.concat([Buffer.from(header), content]), { mode: 0o600 });
  renameSync(unfinished, file);
}

/**
 * Reads the state of an earlier process; undefined if there was none. Creates the file's directory if it is missing.
 *
 * @throws UnusableStateError when the file has another version or is damaged
 */
export function readState(file: string): StoredGraph | undefined {
  mkdirSync(path.dirname(file), { recursive: true });
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const [header, version, checksum] = HEADER.exec(bytes.toString('latin1', 0, MAX_HEADER_LENGTH)) ?? [];
  if (header === undefined) throw new UnusableStateError('it does not begin as such a file does');
  if (version !== String(VERSION)) {
    throw new UnusableStateError(`it is of version ${String(version)}, and this is version ${VERSION}`);
  }
  const content = bytes.subarray(header.length);
  if (checksumOf(content) !== checksum) throw new UnusableStateError('its checksum is wrong: it is damaged');
  return graphOf(content);
}

/** Moves an unusable file out of the way. Returns its new path. @param at epoch milliseconds */
export function setAside(file: string, at: number): string {
  const aside = `${file}.unusable-${new Date(at).toISOString().replaceAll(':', '-')}`;
  renameSync(file, aside);
  return aside;
}

function checksumOf(content: Uint8Array): string {
  return crc32(content).toString(16).padStart(8, '0');
}

/** Parses the content, which the checksum has already verified. A later Node.js may have written it. */
function graphOf(content: Uint8Array): StoredGraph {
  try {
    const graph: unknown = deserialize(content);
    if (isGraph(graph)) return graph;
  } catch {
    // Reported below.
  }
  throw new UnusableStateError('this version of Node.js cannot read it');
}

function isGraph(value: unknown): value is StoredGraph {
  return typeof value === 'object' && value !== null && 'entries' in value && 'roots' in value;
}
