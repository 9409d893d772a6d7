import type { Environment } from '../../domain/environment';
import { MalformedEventError, type CanonicalEvent } from '../canonical-event';
import { boundEvent } from '../event-bounds';
import { dedupeKey } from './dedupe-key';
import { referencesOf } from './event-references';
import { isObject, objectOf, referenceOf, textOf, type LooseObject } from './values';
import { readData } from './event-readers';

const EVENT_NAME = /^[\x21-\x7e]{1,100}$/;

/**
 * Provider C's webhook in the service's words: `{ event, data }`. Reads the types as they really come (amounts as text,
 * `paid` as 1, transactions as `{}`, metadata as anything), and takes nothing for a period's end that is not one.
 *
 * @throws MalformedEventError when the bytes are no JSON object with a name
 */
export function readEvent(raw: Buffer): CanonicalEvent {
  const body = parse(raw);
  const eventType = textOf(body['event']);
  if (eventType === null || !EVENT_NAME.test(eventType)) {
    throw new MalformedEventError('The event has no name.');
  }
  // A list is what `subscription.expiring_cards` brings; no kind that is read has one.
  const data = objectOf(body['data']);
  const environment = environmentOf(data['domain']);
  const references = referencesOf(eventType, data);
  const account = referenceOf(data['integration']);
  const { type, occurredAt = null, subscription, payment, refund, dispute } = readData(eventType, data);
  // Of what cannot be named, only the bytes say whether it has come before.
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
          // One that was declined may be decided again, and accepted, with the same status.
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
