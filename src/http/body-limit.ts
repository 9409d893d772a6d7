/** How large a request's body may be. */
export interface BodyLimit {
  bytes: number;
  /** Members and elements, at any depth. */
  values: number;
}

const KB = 1024;

/**
 * What a body may be, unless its route says more. Nothing that is sent without metadata comes near it, and nobody has
 * proved who they are where a route is public.
 */
export const ORDINARY_BODY: BodyLimit = { bytes: 16 * KB, values: 250 };

/** Metadata has 16,384 characters at most, each of up to six bytes as `\u00e9`, and 50 members. */
export const BODY_WITH_METADATA: BodyLimit = { bytes: 128 * KB, values: 250 };

/** A connection's settings have 65,536 characters at most: the references of a thousand plans and more. */
export const BODY_WITH_SETTINGS: BodyLimit = { bytes: 512 * KB, values: 2_000 };

/**
 * Of a provider's event: each object in it may have 25 KB of metadata, and there may be a dozen. What it may hold is
 * bounded where it is read (`src/providers/event-bounds.ts`), because one that is refused must still be audited.
 */
export const WEBHOOK_BODY: BodyLimit = { bytes: 512 * KB, values: Number.POSITIVE_INFINITY };
