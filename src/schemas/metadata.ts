import { z } from 'zod';
import { text } from './text';

const MAX_KEYS = 50;
const MAX_CHARACTERS = 16_384;

const metadataValue = z.union([text({ max: 500 }), z.number(), z.boolean(), z.null()], {
  error: 'is not text of at most 500 characters, a number, true, false or null',
});

/** A flat value of a metadata object. */
type MetadataValue = z.output<typeof metadataValue>;
/** The caller's own labels: flat, stored and returned unchanged. */
export type Metadata = Record<string, MetadataValue>;

function isBounded(value: Record<string, unknown>): boolean {
  return Object.keys(value).length <= MAX_KEYS && JSON.stringify(value).length <= MAX_CHARACTERS;
}

const tooLarge = `has more than ${MAX_KEYS} keys or ${MAX_CHARACTERS} characters`;

/** Metadata in requests. If sent, it replaces the stored object as a whole. */
export const metadataInput = z
  .record(text({ min: 1, max: 64 }), metadataValue)
  .refine(isBounded, { error: tooLarge, params: { fix: 'Send fewer or shorter members.' } });

/** Metadata of a plan: the providers' references to it, and the caller's own labels. */
export const planMetadataInput = z
  .object({
    providerAPriceId: text({ min: 1, max: 200 }).optional(),
    providerBPlanId: text({ min: 1, max: 200 }).optional(),
    providerCPlanCode: text({ min: 1, max: 200 }).optional(),
  })
  .catchall(metadataValue)
  .refine((value) => Object.keys(value).every(isKey), {
    error: 'has a key that is not 1 to 64 storable characters',
    params: { fix: 'Rename the key.' },
  })
  .refine(isBounded, { error: tooLarge, params: { fix: 'Send fewer or shorter members.' } })
  .transform((value): Metadata => {
    const entries = Object.entries(value).flatMap(([key, label]) =>
      label === undefined ? [] : [[key, label] as const],
    );
    return Object.fromEntries(entries);
  });

/** Metadata in answers. */
export const metadataSchema = z.record(z.string(), z.unknown());

function isKey(key: string): boolean {
  return key.length >= 1 && key.length <= 64 && !key.includes('\0') && key.isWellFormed();
}
