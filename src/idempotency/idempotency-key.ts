import { hash } from 'node:crypto';
import { TollgateError } from '../domain/errors';

/** Visible ASCII. The draft's structured-field string form, "…", is accepted too. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the idempotency key of a request's header lines.
 *
 * @param lines every `Idempotency-Key` line as received
 * @throws TollgateError idempotency_key_invalid; idempotency_key_required if a required key is missing
 */
export function parseIdempotencyKey(lines: readonly string[], need: 'required' | 'optional'): string | null {
  if (lines.length === 0) {
    if (need === 'optional') return null;
    throw new TollgateError('idempotency_key_required', 'The Idempotency-Key header is missing.');
  }
  if (lines.length > 1) {
    throw new TollgateError('idempotency_key_invalid', 'There is more than one Idempotency-Key header.');
  }
  const key = withoutQuotes(lines[0] ?? '');
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new TollgateError(
      'idempotency_key_invalid',
      'The Idempotency-Key is not 1 to 255 visible ASCII characters.',
    );
  }
  return key;
}

/** Removes the quotes of the `"…"` form. */
function withoutQuotes(text: string): string {
  return /^".*"$/.test(text) && text.length > 2 ? text.slice(1, -1) : text;
}

/**
 * Returns the idempotency key of a batch event, parsed like the header, quotes included, so that a use resent in the
 * other form has the same key.
 *
 * @throws TollgateError idempotency_key_required, idempotency_key_invalid
 */
export function parseEventKey(value: unknown): string {
  const about = (message: string) => ({
    errors: [{ pointer: '/idempotencyKey', message, fix: 'Send a value of your own for this event.' }],
  });
  if (value === undefined) {
    const detail = 'The event has no idempotencyKey.';
    throw new TollgateError('idempotency_key_required', detail, about('is missing'));
  }
  const key = typeof value === 'string' ? withoutQuotes(value) : '';
  if (!IDEMPOTENCY_KEY.test(key)) {
    const what = 'is not a text of 1 to 255 visible ASCII characters';
    throw new TollgateError('idempotency_key_invalid', `The idempotencyKey ${what}.`, about(what));
  }
  return key;
}

/**
 * Returns the fingerprint of a key's first use: SHA-256 over the method, the route template, the path parameters, the
 * query and the validated body, in canonical form (object members sorted by name).
 */
export function fingerprintOf(
  method: string,
  routeTemplate: string,
  params: unknown,
  query: unknown,
  body: unknown,
): Buffer {
  const text = `${method} ${routeTemplate}\n${canonical(params)}\n${canonical(query)}\n${canonical(body)}`;
  return hash('sha256', text, 'buffer');
}

function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as Record<string, unknown>;
  let members = '';
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}
