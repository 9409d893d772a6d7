import type { Environment } from '../../domain/environment';
import { MalformedEventError, type CanonicalEvent } from '../canonical-event';
import { boundEvent } from '../event-bounds';
import { dedupeKey } from './dedupe-key';
import { referencesOf } from './event-references';
import { isObject, objectOf, referenceOf, textOf, type LooseObject } from './values';
import { readData } from './event-readers';

const EVENT_NAME = /^[\x21-\x7e]{1,100}$/;

/**
 * Translates provider C's webhook, `{ event, data }`, into the service's terms. Reads the types as they really arrive
 * (amounts as text, `paid` as 1, transactions as `{}`, any metadata), and does not mistake another date for a period
 * end.
 *
 * @throws MalformedEventError when the bytes are not a JSON object with a name
 */
export function readEvent(raw: Buffer): CanonicalEvent {
  const body = parse(raw);
  const eventType = textOf(body['event']);
  if (eventType === null || !EVENT_NAME.test(eventType)) {
    throw new MalformedEventError('The event has no name.');
  }
  // `subscription.expiring_cards` carries a list; no event type that is read does.
  const data = objectOf(body['data']);
  const environment = environmentOf(data['domain']);
  const references = referencesOf(eventType, data);
  const account = referenceOf(data['integration']);
  const { type, occurredAt = null, subscription, payment, refund, dispute } = readData(eventType, data);
  // For an object without a reference, only the bytes show whether the event was received before.
  const isNamed = references.some(({ kind }) => kind !== 'customer');
  const state =
    type === 'ignored' || !isNamed
      ? raw.toString('base64')
      : [
          data['status'],
          data['paid'],
          data['next_payment_date'],
          data['amount'],
          data['refund_reference'],
          // A declined dispute may be decided again and accepted, with the same status.
          ...(type === 'dispute.changed'
            ? [data['resolution'], data['refund_amount'], data['resolvedAt'] ?? data['resolved_at']]
            : []),
        ];
  return {
    type,
    eventType,
    dedupeKey: dedupeKey([eventType, environment, references, state]),
    occurredAt,
    environment,
    references,
    ...(account !== null && { account }),
    ...(subscription && { subscription }),
    ...(payment && { payment }),
    ...(refund && { refund }),
    ...(dispute && { dispute }),
  };
}

function environmentOf(domain: unknown): Environment | null {
  if (domain === 'test') return 'sandbox';
  return domain === 'live' ? 'production' : null;
}

function parse(raw: Buffer): LooseObject {
  boundEvent(raw);
  let body: unknown;
  try {
    body = JSON.parse(raw.toString('utf8'));
  } catch {
    throw new MalformedEventError('The body is not JSON.');
  }
  if (!isObject(body)) throw new MalformedEventError('The body is not a JSON object.');
  return body;
}
