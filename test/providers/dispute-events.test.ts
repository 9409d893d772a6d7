import { readEvent as readOfA } from '../../src/providers/provider-a/read-event';
import { readEvent as readOfB } from '../../src/providers/provider-b/read-event';
import { readEvent as readOfC } from '../../src/providers/provider-c/read-event';
import { eventBytes } from './provider-b/event-bytes';

/** How the providers' dispute events are read. */
describe('provider A', () => {
  const dispute = {
    id: 'dp_1',
    object: 'dispute',
    amount: 2900,
    currency: 'usd',
    charge: 'ch_1',
    payment_intent: 'pi_1',
    reason: 'fraudulent',
    status: 'needs_response',
  };
  const read = (type: string, members: object = {}) =>
    readOfA(
      Buffer.from(
        JSON.stringify({
          id: 'evt_1',
          object: 'event',
          type,
          created: 1_780_000_000,
          livemode: false,
          data: { object: { ...dispute, ...members } },
        }),
      ),
    );

  test('names the payment, and takes its currency’s minor units', () => {
    expect(read('charge.dispute.created')).toMatchObject({
      type: 'dispute.changed',
      occurredAt: 1_780_000_000_000,
      references: [
        { kind: 'dispute', reference: 'dp_1' },
        { kind: 'payment', reference: 'pi_1' },
        { kind: 'charge', reference: 'ch_1' },
      ],
      dispute: {
        reference: 'dp_1',
        of: { kind: 'payment', reference: 'pi_1' },
        amount: 2900n,
        currency: 'USD',
        status: 'open',
        reason: 'fraudulent',
      },
    });
    const of = { kind: 'charge', reference: 'ch_1' };
    expect(read('charge.dispute.created', { payment_intent: null }).dispute).toMatchObject({ of });
    expect(read('charge.dispute.created', { currency: 'zzz' }).dispute).toBeUndefined();
  });

  test.each([
    ['charge.dispute.updated', 'under_review', 'open'],
    ['charge.dispute.funds_withdrawn', 'needs_response', 'open'],
    ['charge.dispute.created', 'warning_needs_response', 'open'],
    ['charge.dispute.closed', 'warning_closed', 'won'],
    ['charge.dispute.closed', 'won', 'won'],
    ['charge.dispute.funds_reinstated', 'won', 'won'],
    ['charge.dispute.closed', 'charge_refunded', 'won'],
    ['charge.dispute.closed', 'lost', 'lost'],
    ['charge.dispute.updated', 'a_status_to_come', 'open'],
  ])('%s of the status %s is %s', (type, status, expected) => {
    expect(read(type, { status }).dispute?.status).toBe(expected);
  });
});

describe('provider B', () => {
  const dispute = {
    dispute_id: 'PP-D-27803',
    create_time: '2026-03-01T10:00:00.000Z',
    disputed_transactions: [{ seller_transaction_id: '00D10444LD479031K', seller: {} }],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: 'OPEN',
    dispute_amount: { currency_code: 'USD', value: '29.00' },
    dispute_life_cycle_stage: 'INQUIRY',
  };
  const read = (type: string, members: object = {}) => readOfB(eventBytes(type, { ...dispute, ...members }));

  test('names the transaction, as a capture and as a sale', () => {
    expect(read('CUSTOMER.DISPUTE.CREATED')).toMatchObject({
      type: 'dispute.changed',
      references: [
        { kind: 'capture', reference: '00D10444LD479031K' },
        { kind: 'payment', reference: '00D10444LD479031K' },
      ],
      dispute: {
        reference: 'PP-D-27803',
        amount: 2900n,
        currency: 'USD',
        status: 'open',
        openedAt: Date.parse('2026-03-01T10:00:00.000Z'),
        reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        reportedAsRefund: true,
      },
    });
  });

  test('carries all messages of both sides, which may be long', () => {
    const content = 'é'.repeat(2_000);
    const messages = Array.from({ length: 20 }, () => ({ posted_by: 'BUYER', content }));
    const resolved = { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } };
    expect(read('CUSTOMER.DISPUTE.RESOLVED', { ...resolved, messages }).dispute?.status).toBe('lost');
  });

  test.each([
    ['RESOLVED_BUYER_FAVOUR', 'lost'],
    ['ACCEPTED', 'lost'],
    ['RESOLVED_SELLER_FAVOUR', 'won'],
    ['RESOLVED_WITH_PAYOUT', 'won'],
    ['CANCELED_BY_BUYER', 'won'],
    ['DENIED', 'won'],
    ['NONE', 'won'],
    ['AN_OUTCOME_TO_COME', 'open'],
    [null, 'open'],
  ])('the outcome %s is %s', (code, expected) => {
    const outcome = { outcome_code: code, amount_refunded: { currency_code: 'USD', value: '10.00' } };
    const { dispute: facts } = read('CUSTOMER.DISPUTE.RESOLVED', {
      status: 'RESOLVED',
      dispute_outcome: outcome,
    });
    expect([facts?.status, facts?.amount]).toEqual([expected, expected === 'lost' ? 1000n : 2900n]);
  });

  test('resolved without an outcome, it is not decided yet', () => {
    const { dispute: facts } = read('CUSTOMER.DISPUTE.RESOLVED', { status: 'RESOLVED' });
    expect(facts?.status).toBe('open');
  });

  test('without an amount it is only a hint', () => {
    const event = read('CUSTOMER.DISPUTE.UPDATED', { dispute_amount: undefined });
    expect(event.type).toBe('dispute.changed');
    expect(event.dispute).toBeUndefined();
  });
});

describe('provider C', () => {
  const dispute = {
    id: 358_950,
    domain: 'test',
    refund_amount: null,
    currency: 'NGN',
    status: 'awaiting-merchant-feedback',
    resolution: null,
    category: 'chargeback',
    createdAt: '2026-03-01T10:00:00.000Z',
    resolvedAt: null,
    transaction: { id: 5_991_760, reference: 'ref_1', amount: 50_000, currency: 'NGN' },
  };
  const read = (type: string, members: object = {}) =>
    readOfC(Buffer.from(JSON.stringify({ event: type, data: { ...dispute, ...members } })));

  test('names the payment; until an amount is decided, all of it is disputed', () => {
    const event = read('charge.dispute.create');
    expect(event).toMatchObject({
      type: 'dispute.changed',
      occurredAt: Date.UTC(2026, 2, 1, 10),
      dispute: {
        reference: '358950',
        of: { kind: 'payment', reference: 'ref_1' },
        amount: 50_000n,
        currency: 'NGN',
        status: 'open',
        openedAt: Date.UTC(2026, 2, 1, 10),
        reason: 'chargeback',
        reportedAsRefund: true,
      },
    });
    expect(event.references).toEqual(
      expect.arrayContaining([
        { kind: 'dispute', reference: '358950' },
        { kind: 'payment', reference: 'ref_1' },
      ]),
    );
  });

  test.each([
    ['merchant-accepted', 'lost'],
    ['auto-accepted', 'lost'],
    ['declined', 'won'],
    ['a-resolution-to-come', 'open'],
    [null, 'open'],
  ])('the resolution %s is %s', (resolution, expected) => {
    const event = read('charge.dispute.resolve', {
      status: 'resolved',
      resolution,
      refund_amount: '20000',
      resolvedAt: '2026-03-05T10:00:00.000Z',
    });
    expect(event.occurredAt).toBe(Date.UTC(2026, 2, 5, 10));
    expect([event.dispute?.status, event.dispute?.amount]).toEqual([expected, 20_000n]);
  });

  test('a reminder is distinguished from the opening, and each is one event however often it comes', () => {
    const [created, reminder] = [read('charge.dispute.create'), read('charge.dispute.remind')];
    expect(created.dedupeKey).not.toBe(reminder.dedupeKey);
    expect(read('charge.dispute.remind').dedupeKey).toBe(reminder.dedupeKey);
  });

  test('a second decision of one dispute is an event of its own, however often it comes', () => {
    const resolved = (members: object) =>
      read('charge.dispute.resolve', {
        status: 'resolved',
        resolvedAt: '2026-03-05T10:00:00.000Z',
        ...members,
      });
    const keys = [
      resolved({ resolution: 'declined' }),
      resolved({ resolution: 'merchant-accepted', refund_amount: 20_000 }),
      resolved({ resolution: 'merchant-accepted', refund_amount: 50_000 }),
      resolved({ resolution: 'declined', resolvedAt: '2026-03-09T10:00:00.000Z' }),
    ].map(({ dedupeKey }) => dedupeKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(resolved({ resolution: 'declined' }).dedupeKey).toBe(keys[0]);
  });

  test('without its payment it is only a hint', () => {
    expect(read('charge.dispute.create', { transaction: {} }).dispute).toBeUndefined();
  });
});
