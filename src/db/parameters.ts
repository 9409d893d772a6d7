import { isoText, type Instant } from '../domain/instant';

/**
 * Converts a provider's time to a `timestamptz` parameter.
 *
 * @throws RangeError if no date can hold it, because pg would send `NaN`, and its next major version throws
 */
export function providerTime(instant: Instant): string {
  return isoText(instant);
}

/** Converts an optional provider's time; throws like {@link providerTime}. */
export function providerTimeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : providerTime(instant);
}

/** Converts an instant to a `timestamptz` parameter. */
export function dateOrNull(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}

/** Serializes JSON with amounts as text, because a JSON number would be read back as a double. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}

/**
 * Builds the text of a Postgres array of values that need no escaping: ids, instants, decimals. pg quotes and escapes
 * each member of an array parameter, which costs a batch more than all its decisions.
 */
export function plainArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

const SPECIAL = /["\\]/;

/** Builds the text of a Postgres array of any text. */
export function textArray(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  const members = values.some((value) => SPECIAL.test(value)) ? values.map(escaped) : values;
  return `{"${members.join('","')}"}`;
}

/** Builds the text of a Postgres array of any text or NULL. */
export function textOrNullArray(values: readonly (string | null)[]): string {
  const members = values.map((value) => (value === null ? 'NULL' : `"${escaped(value)}"`));
  return `{${members.join(',')}}`;
}

/** Builds the text of a Postgres array of bytes. */
export function bytesArray(values: readonly Buffer[]): string {
  return values.length === 0
    ? '{}'
    : `{"${values.map((bytes) => `\\\\x${bytes.toString('hex')}`).join('","')}"}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
