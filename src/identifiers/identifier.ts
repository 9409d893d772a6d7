import { randomFillSync } from 'node:crypto';
import type { Instant } from '../domain/instant';

/** The type prefix of each kind of id, as shown to callers (`sub_01h…`). */
const prefixes = {
  organization: 'org',
  operator: 'opr',
  session: 'ses',
  portalSession: 'pses',
  invitation: 'inv',
  resetLink: 'rst',
  apiKey: 'key',
  planGroup: 'pgrp',
  plan: 'plan',
  feature: 'feat',
  entitlement: 'ent',
  customer: 'cus',
  erasure: 'ers',
  subscription: 'sub',
  history: 'hst',
  transaction: 'txn',
  payment: 'pay',
  refund: 'ref',
  settlement: 'stl',
  dispute: 'dsp',
  checkout: 'chk',
  operation: 'op',
  creditGrant: 'crd',
  usageEvent: 'uev',
  reservation: 'rsv',
  decision: 'dec',
  developerEvent: 'evt',
  audit: 'aud',
  request: 'req',
  connection: 'conn',
  webhook: 'whk',
  webhookFailure: 'whf',
  webhookEndpoint: 'whe',
  webhookMessage: 'msg',
  webhookAttempt: 'wha',
  webhookResend: 'whr',
  platformAudit: 'paud',
  runtime: 'rt',
  migration: 'mig',
} as const;

export type IdentifierKind = keyof typeof prefixes;

/** Crockford's base 32, as used by TypeID. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes are drawn in bulk, because a draw for each id costs more than the rest of it. */
const pool = new Uint8Array(8 * 512);
let poolUsed = pool.length;

let lastMilliseconds = 0;
/** The 12 bits after the time, counted up within a millisecond so that one process's ids sort by creation. */
let sequence = 0;

/**
 * Generates an id: the kind's prefix and a UUIDv7 (RFC 9562) in base 32, which is the TypeID format. Implemented here
 * rather than by a library because check and track generate four each.
 */
export function newIdentifier(kind: IdentifierKind): string {
  const now = Date.now();
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    sequence = 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMilliseconds += 1;
      sequence = 0;
    }
  }
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const random = pool.subarray(poolUsed, poolUsed + 8);
  poolUsed += 8;
  return `${prefixes[kind]}_${encode(lastMilliseconds, sequence, random)}`;
}

/** Two characters for each ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => (ALPHABET[bits >> 5] ?? '') + (ALPHABET[bits & 31] ?? ''),
);

let timeText = '';
let timeOfText = -1;

/** Encodes the 128 bits in 26 characters of five bits; the first one holds only three. */
function encode(milliseconds: number, count: number, random: Uint8Array): string {
  if (milliseconds !== timeOfText) {
    timeOfText = milliseconds;
    timeText = encodeTime(milliseconds);
  }
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0] = random;
  return (
    timeText +
    encodeFive(0x70 | (count >> 8), count & 0xff, 0x80 | (r0 & 0x3f), r1, r2) +
    encodeFive(r3, r4, r5, r6, r7)
  );
}

/** Encodes 48 bits, after two zero bits, in ten characters. */
function encodeTime(milliseconds: number): string {
  let text = '';
  let rest = milliseconds;
  for (let pair = 0; pair < 5; pair += 1) {
    text = (PAIRS[rest % 1024] ?? '') + text;
    rest = Math.floor(rest / 1024);
  }
  return text;
}

/** Encodes five bytes in eight characters. */
function encodeFive(b0: number, b1: number, b2: number, b3: number, b4: number): string {
  return (
    (PAIRS[(b0 << 2) | (b1 >> 6)] ?? '') +
    (PAIRS[((b1 & 0x3f) << 4) | (b2 >> 4)] ?? '') +
    (PAIRS[((b2 & 0xf) << 6) | (b3 >> 2)] ?? '') +
    (PAIRS[((b3 & 3) << 8) | b4] ?? '')
  );
}

/** Form of any id, as a Postgres regular expression. */
export const ANY_IDENTIFIER = `(?:${Object.values(prefixes).join('|')})_[0-7][${ALPHABET}]{25}`;

/** Returns what every id of a kind begins with, such as `sub_`. */
export function identifierPrefix(kind: IdentifierKind): string {
  return `${prefixes[kind]}_`;
}

/** Returns the form of an id of a kind: its prefix, and 26 characters, the first of which holds three bits. */
function identifierPattern(kind: IdentifierKind): RegExp {
  return new RegExp(`^${prefixes[kind]}_[0-7][${ALPHABET}]{25}$`);
}

/**
 * Returns when an id was generated, by the clock of the process that did so: epoch milliseconds. Null if it is not an
 * id of this kind.
 */
export function timeOfIdentifier(kind: IdentifierKind, id: string): number | null {
  if (!identifierPattern(kind).test(id)) return null;
  const time = id.slice(prefixes[kind].length + 1, prefixes[kind].length + 11);
  let milliseconds = 0;
  for (const character of time) milliseconds = milliseconds * 32 + ALPHABET.indexOf(character);
  return milliseconds;
}

/** Returns a text that sorts after the ids generated before an instant, and before all later ones. */
export function firstIdentifierAt(kind: IdentifierKind, at: Instant): string {
  return `${prefixes[kind]}_${encodeTime(Math.max(at, 0))}`;
}

/** Returns the id of another kind with the same time and random part, so that one can be found by the other. */
export function twinIdentifier(kind: IdentifierKind, id: string): string {
  return `${prefixes[kind]}${id.slice(id.lastIndexOf('_'))}`;
}
