import { z } from 'zod';
import { EMAIL_ADDRESS, FEATURE_KEY, MAX_SLUG, SLUG } from '../domain/text-formats';

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Returns the schema of text from callers. Nothing is trimmed. Rejects text that Postgres cannot store (NUL, half a
 * surrogate pair).
 */
export function text(length: { min?: number; max: number }) {
  return z
    .string()
    .min(length.min ?? 0)
    .max(length.max)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'has a NUL character or half of a surrogate pair',
      params: { fix: 'Remove these characters.' },
    });
}

/**
 * Returns the schema of single-line text without control characters, which can be used in a list, a log line or a
 * header.
 */
export function line(length: { min?: number; max: number }) {
  return z
    .string()
    .min(length.min ?? 0)
    .max(length.max)
    .refine((value) => !CONTROL_CHARACTER.test(value) && value.isWellFormed(), {
      error: 'has a control character or half of a surrogate pair',
      params: { fix: 'Remove these characters, such as line breaks and tabs.' },
    });
}

/**
 * A new name that callers put in a path. `.` and `..` are refused because clients resolve them in
 * a path, even if encoded, and then request something else: `DELETE` of the entity `..` would name its customer.
 */
export const pathName = line({ min: 1, max: 255 }).refine((name) => name !== '.' && name !== '..', {
  error: 'is "." or "..", which no path can name',
  params: { fix: 'Send another name.' },
});

/* The examples below are the demo's names, so that calls tried in the reference of `npm start` find existing data. */

/** Display name of a thing. */
export const displayName = line({ min: 1, max: 200 });

export const slug = text({ min: 1, max: MAX_SLUG })
  .regex(SLUG, {
    error: 'is not lower-case letters and digits, joined by single hyphens or underscores',
  })
  .meta({ example: 'pro' });

export const featureKey = text({ min: 1, max: MAX_SLUG })
  .regex(FEATURE_KEY, {
    error: 'is not lower-case letters and digits, joined by single hyphens, underscores or points',
  })
  .meta({ example: 'ai_tokens' });

/** The integrator's own id of a customer. */
export const externalId = line({ min: 1, max: 255 }).meta({ example: 'demo_acme' });
/** The external id of a customer that is created. */
export const newExternalId = pathName.meta({ example: 'demo_acme' });

export const emailAddress = line({ min: 3, max: 254 })
  .regex(EMAIL_ADDRESS, {
    error: 'is not an e-mail address',
  })
  .meta({ example: 'demo@tollgate.example' });

/** Any id of this service in a path, a query or a body. An unknown id is a 404, not a 400. */
export const identifier = line({ min: 1, max: 100 });

/** The path parameter of `/things/{id}`. */
export const idParams = z.strictObject({ id: identifier });
