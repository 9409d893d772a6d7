import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  MalformedEventError,
  type CanonicalEvent,
  type PaymentFacts,
  type RefundFacts,
  type SettlementFacts,
  type SubscriptionFacts,
} from '../../src/providers/canonical-event';
import type { ConnectionAccess } from '../../src/providers/connection-access';
import type { Outcome } from '../../src/providers/outcome';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { NoOperations } from './no-operations';

const TOLERANCE_MS = 300_000;
const SIGNATURE = /^t=(\d+),v1=([0-9a-f]{64})$/;

/** Returns the fake provider's signature header; as with provider A, it signs the time and the bytes. */
export function signatureOf(secret: string, bytes: Buffer, at = Date.now()): string {
  const seconds = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** Returns an event as bytes; amounts become text. */
export function bytesOf(event: object): Buffer {
  return Buffer.from(
    JSON.stringify(event, (_, member: unknown) =>
      typeof member === 'bigint' ? { minor: `${member}` } : member,
    ),
  );
}

/** A provider whose objects the test holds: a fetch returns the state that the test has set. */
export class FakeProvider extends NoOperations implements ProviderAdapter {
  readonly provider = 'provider_a';
  readonly subscriptions = new Map<string, SubscriptionFacts>();
  readonly payments = new Map<string, PaymentFacts>();
  readonly refunds = new Map<string, RefundFacts>();
  /** Every request, as `kind reference`. */
  readonly reads: string[] = [];
  /** Called before each answer; an error it throws replaces the answer. */
  meanwhile: (() => Promise<void>) | null = null;
  unreachable = false;

  testConnection: ProviderAdapter['testConnection'] = () => Promise.resolve([]);

  verifyWebhook: ProviderAdapter['verifyWebhook'] = (access, { bytes, rawHeaders, receivedAt }) => {
    const secret = access.secrets['webhookSecret'];
    if (secret === undefined) return Promise.resolve('incomplete');
    const lines = rawHeaders.filter(
      (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'stripe-signature',
    );
    const [, seconds, signature] = (lines.length === 1 ? SIGNATURE.exec(lines[0] ?? '') : null) ?? [];
    if (seconds === undefined || signature === undefined) return Promise.resolve('invalid');
    const at = Number(seconds) * 1000;
    if (Math.abs(receivedAt - at) > TOLERANCE_MS) return Promise.resolve('invalid');
    const expected = SIGNATURE.exec(signatureOf(secret, bytes, at))?.[2] ?? '';
    return Promise.resolve(
      timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? 'valid' : 'invalid',
    );
  };

  readEvent(raw: Buffer): CanonicalEvent {
    try {
      return JSON.parse(raw.toString('utf8'), (_, member: unknown) =>
        typeof member === 'object' && member !== null && 'minor' in member
          ? BigInt(String(member.minor))
          : member,
      ) as CanonicalEvent;
    } catch {
      throw new MalformedEventError('The bytes are no event.');
    }
  }

  fetchSubscription(_access: ConnectionAccess, reference: string): Promise<Outcome<SubscriptionFacts>> {
    return this.answer('subscription', this.subscriptions, reference);
  }
  fetchPayment(_access: ConnectionAccess, kind: string, reference: string): Promise<Outcome<PaymentFacts>> {
    return this.answer(kind, this.payments, reference);
  }
  fetchRefund(_access: ConnectionAccess, reference: string): Promise<Outcome<RefundFacts>> {
    return this.answer('refund', this.refunds, reference);
  }

  private async answer<T>(kind: string, all: Map<string, T>, reference: string): Promise<Outcome<T>> {
    this.reads.push(`${kind} ${reference}`);
    const value = all.get(reference);
    await this.meanwhile?.();
    if (this.unreachable) return { kind: 'unknown', reason: 'a time-out' };
    if (value === undefined)
      return { kind: 'declined', code: 'not_found', reason: 'There is no such object.' };
    return { kind: 'done', value };
  }
}

let events = 0;

/** Returns an event with an id of its own. */
export function eventOf(
  type: CanonicalEvent['type'],
  members: Partial<CanonicalEvent> & {
    payment?: PaymentFacts;
    refund?: RefundFacts;
    settlement?: SettlementFacts;
  } = {},
): CanonicalEvent {
  events += 1;
  return {
    type,
    eventType: `fake.${type}`,
    dedupeKey: `evt_${events}`,
    occurredAt: Date.now(),
    environment: 'sandbox',
    references: [],
    ...members,
  };
}
