import { randomFillSync } from 'node:crypto';

/** The type prefix of each id, as callers see it (`sub_01h…`). */
const prefixes = {
  organization: 'org',
  operator: 'opr',
  session: 'ses',
  invitation: 'inv',
  apiKey: 'key',
  planGroup: 'pgrp',
  plan: 'plan',
  feature: 'feat',
  entitlement: 'ent',
  customer: 'cus',
  subscription: 'sub',
  creditGrant: 'crd',
  usageEvent: 'uev',
  decision: 'dec',
  developerEvent: 'evt',
  audit: 'aud',
  request: 'req',
} as const;

export type IdentifierKind = keyof typeof prefixes;

/** Crockford's base 32, as TypeID uses it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes are drawn in bulk: a draw for each id costs more than making the id. */
const pool = new Uint8Array(8 * 512);
let poolUsed = pool.length;

let lastMilliseconds = 0;
/** The 12 bits behind the time count within a millisecond, so that one process's ids sort by creation. */
let sequence = 0;

/**
 * A new id: the kind's prefix and a UUIDv7 (RFC 9562) in base 32, which is the TypeID format. Made here rather
 * than by a library because check and track make four each.
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

/** The 128 bits in 26 characters of five bits, the first of which holds only three. */
function encode(milliseconds: number, count: number, random: Uint8Array): string {
  const high = Math.floor(milliseconds / 2 ** 16);
  const middle = ((milliseconds % 2 ** 16) * 2 ** 16 + 0x7000 + count) >>> 0;
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0] = random;
  const low = (((0x80 | (r0 & 0x3f)) << 24) | (r1 << 16) | (r2 << 8) | r3) >>> 0;
  const lowest = ((r4 << 24) | (r5 << 16) | (r6 << 8) | r7) >>> 0;
  let text = '';
  // Words of 32 bits, read five bits at a time from the top; two zero bits come before the first.
  let bits = 0;
  let held = 2;
  for (const word of [high, middle, low, lowest]) {
    bits = bits * 2 ** 32 + word;
    held += 32;
    while (held >= 5) {
      held -= 5;
      const unit = 2 ** held;
      const digit = Math.floor(bits / unit);
      text += ALPHABET[digit] ?? '';
      bits -= digit * unit;
    }
  }
  return text;
}
