import type { Instant } from '../../domain/instant';

/** A JSON object with unknown content. */
export type LooseObject = Readonly<Record<string, unknown>>;

const REFERENCE = /^[\x21-\x7e]{1,200}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Returns the object, or an empty one: provider C writes `{}`, null, `""` and 0 for "none". */
export function objectOf(value: unknown): LooseObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is LooseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an identifier, which provider C writes as text or as a number. Null if it cannot be one. */
export function referenceOf(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : value;
  return typeof text === 'string' && REFERENCE.test(text) ? text : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Parses an ISO 8601 time with its offset; null for anything else. */
export function instantOf(value: unknown): Instant | null {
  if (typeof value !== 'string' || !ISO_TIME.test(value)) return null;
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? null : instant;
}

/** Provider C writes "paid" as a boolean, or as 1 and 0. */
export function isPaid(value: unknown): boolean {
  return value === true || value === 1;
}

/**
 * Whether an invoice's status means that its charge failed. Provider C's documentation calls it `failed`; its example
 * of such an invoice has `attention`, and says that it is paid.
 */
export function isFailedInvoice(status: unknown): boolean {
  return status === 'failed' || status === 'attention';
}
