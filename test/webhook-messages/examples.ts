import { execFileSync } from 'node:child_process';
import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WEBHOOK_TYPES, type WebhookType } from '../../src/domain/webhook-types';
import { payloadSchemaOf } from '../../src/webhook-messages/message-schema';
import type { Payload } from './message-log';

const ROOT = path.join(__dirname, '..', '..');
const FILE = path.join(ROOT, 'src', 'webhook-messages', 'examples.json');
const T0 = Date.UTC(2026, 2, 2, 9, 30);

/**
 * Compares the payloads sent with the examples in the documents, or updates these if `UPDATE_SNAPSHOTS=1`. There must
 * be a payload of each type.
 */
export function expectExamples(types: readonly WebhookType[], sent: readonly Payload[]): void {
  const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Partial<Record<WebhookType, Payload>>;
  for (const type of types) {
    const payload = sent.find((one) => one.type === type);
    if (payload === undefined) throw new Error(`No message of the type ${type} was sent.`);
    if (process.env['UPDATE_SNAPSHOTS'] === '1') examples[type] = exampleOf(payload);
    const example = examples[type];
    payloadSchemaOf(type).parse(example);
    expect([type, shapeOf(example)]).toEqual([type, shapeOf(payload)]);
  }
  if (process.env['UPDATE_SNAPSHOTS'] !== '1') return;
  const sorted = Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, examples[type]]));
  writeFileSync(FILE, JSON.stringify(sorted));
  execFileSync(path.join(ROOT, 'node_modules', '.bin', 'oxfmt'), [FILE], { cwd: ROOT });
}

/** Returns the names of the top-level members and of those in `data`. */
function shapeOf(payload: Payload | undefined): unknown {
  return [Object.keys(payload ?? {}), Object.keys(payload?.data ?? {}).sort()];
}

/** Returns the payload without values specific to one run: ids, names, addresses, and the day. */
function exampleOf(payload: Payload): Payload {
  const ids = new Map<string, string>();
  const shift = Math.round((T0 - Date.parse(payload.timestamp)) / 60_000) * 60_000;
  const text = JSON.stringify(payload)
    .replaceAll(/\b([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, prefix: string) => {
      const known =
        ids.get(id) ?? `${prefix}_01k0g6v2p8f3ct4x7m9w5a1${String(ids.size + 1).padStart(3, '0')}`;
      ids.set(id, known);
      return known;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (instant) =>
      new Date(Math.round((Date.parse(instant) + shift) / 60_000) * 60_000).toISOString(),
    )
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+[^"]*/g, 'https://pay.example/approve')
    .replaceAll(/\bacct[-_][0-9a-z]+/g, 'acct_42')
    .replaceAll(/\b(starter|pro|large)-[0-9a-f]{8}\b/g, '$1')
    .replaceAll(/\b(sub|pi|re|in|ch|cus|dp|si|price)_(?!01k0)[A-Za-z0-9]{8,}\b/g, '$1_1PqR2sT3')
    .replaceAll(/\b(I|PP-D|PAYID|WH)-[A-Z0-9]{5,}\b/g, '$1-8X2Y9Z');
  return JSON.parse(text) as Payload;
}
