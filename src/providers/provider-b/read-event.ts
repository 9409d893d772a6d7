import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { MalformedEventError, type CanonicalEvent } from '../canonical-event';
import { boundEvent } from '../event-bounds';
import { EVENT_READERS } from './event-readers';
import { readInstant, readJson } from './values';

/**
 * A dispute's event carries all of its messages, of up to 2,000 characters each. Numbers are kept as text by a parser
 * that reads each character.
 */
const MAX_EVENT_LENGTH = 128 * 1024;

const envelope = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  event_type: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/),
  create_time: z.string().nullish(),
  resource: z.unknown(),
});

/**
 * Translates an event of provider B into the service's terms. B's events do not name their environment: each mode has
 * its own address for verifying them.
 *
 * @throws MalformedEventError when the bytes are not an event, or a known event does not say what it is about
 */
export function readEvent(raw: Buffer): CanonicalEvent {
  const { id, event_type: eventType, create_time: created, resource } = readEnvelope(raw);
  const read = Object.hasOwn(EVENT_READERS, eventType) ? EVENT_READERS[eventType] : undefined;
  const account = payeeOf(resource);
  return {
    ...(account !== undefined && { account }),
    eventType,
    dedupeKey: id,
    occurredAt: readInstant(created ?? ''),
    environment: null,
    ...(read === undefined ? { type: 'ignored' as const, references: [] } : read(resource)),
  };
}

const payee = z.object({ merchant_id: z.string().max(200) });
const paid = z.object({
  payee: payee.optional().catch(undefined),
  purchase_units: z.array(z.object({ payee })).optional().catch(undefined),
});

/** Returns the merchant that an order or a capture names; sales and subscriptions name none. */
function payeeOf(resource: unknown): string | undefined {
  const read = paid.safeParse(resource);
  return read.data?.payee?.merchant_id ?? read.data?.purchase_units?.[0]?.payee.merchant_id;
}

function readEnvelope(raw: Buffer): z.infer<typeof envelope> {
  const read = isUtf8(raw) ? envelope.safeParse(jsonOrUndefined(raw)) : undefined;
  if (read?.success !== true) throw new MalformedEventError('The body is no event of provider B.');
  return read.data;
}

function jsonOrUndefined(raw: Buffer): unknown {
  boundEvent(raw, MAX_EVENT_LENGTH);
  try {
    return readJson(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
