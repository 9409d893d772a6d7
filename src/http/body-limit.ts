/** Size limit of a request body. */
export interface BodyLimit {
  bytes: number;
  /** Members and elements, at any depth. */
  values: number;
}

const KB = 1024;

/**
 * The limit unless a route sets its own. No request without metadata comes near it, and callers of public routes are
 * not authenticated.
 */
export const ORDINARY_BODY: BodyLimit = { bytes: 16 * KB, values: 250 };

/** Metadata has at most 16,384 characters, each of up to six bytes as `\u00e9`, and 50 members. */
export const BODY_WITH_METADATA: BodyLimit = { bytes: 128 * KB, values: 250 };

/** A connection's settings have at most 65,536 characters: the references of a thousand plans and more. */
export const BODY_WITH_SETTINGS: BodyLimit = { bytes: 512 * KB, values: 2_000 };

/**
 * For a provider's event: each object in it may have 25 KB of metadata, and there may be a dozen. The number of values
 * is checked later (`src/providers/event-bounds.ts`), because a refused event must still be audited.
 */
export const WEBHOOK_BODY: BodyLimit = { bytes: 512 * KB, values: Number.POSITIVE_INFINITY };
