import { createProviderB } from '../../../src/providers/provider-b/adapter';
import type { ProviderReference } from '../../../src/providers/provider-operations';
import { HOUR_MS } from '../../../src/domain/instant';
import { paymentCheckout, referenceOf, subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, linkOf, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';

const adapter = createProviderB({ now: Date.now });
const SENDING = { key: 'op_7-1', repeated: false };
const AGAIN = { ...SENDING, repeated: true };

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
});
afterEach(() => b.stop());

interface Made {
  reference: ProviderReference;
  url: string;
}

async function make(kind: 'order' | 'subscription', choice?: string): Promise<Made> {
  const request = kind === 'order' ? paymentCheckout() : subscriptionCheckout();
  const { url, references } = valueOf(await adapter.createCheckout(accessTo(b.url), request));
  if (choice !== undefined) await b.choose(url, choice);
  return { url, reference: references[0] };
}

const fetchIt = (reference: ProviderReference) => adapter.fetchCheckout(accessTo(b.url), reference);
const capture = (reference: ProviderReference, sending = SENDING) =>
  adapter.captureCheckout(accessTo(b.url), reference, sending);
const expire = (reference: ProviderReference) => adapter.expireCheckout(accessTo(b.url), reference);

/** Returns the references in provider B's events, by event type. */
async function webhookReferences(): Promise<Map<string, ProviderReference[]>> {
  const arrived = await b.webhooks();
  return new Map(arrived.map(({ raw, event }) => [event.event_type, adapter.readEvent(raw).references]));
}

describe('an order at provider B', () => {
  it('is open, approved, and complete with its capture, by the names that the events carry', async () => {
    const { url, reference } = await make('order');
    expect(valueOf(await fetchIt(reference))).toEqual({
      status: 'open',
      references: [reference],
      subscriptionReference: null,
      customerReference: null,
      payment: null,
    });
    await b.choose(url, 'approve');
    expect(valueOf(await fetchIt(reference))).toMatchObject({
      status: 'approved',
      customerReference: expect.stringMatching(/^[A-Z0-9]{13}$/) as string,
      payment: null,
    });
    const captured = valueOf(await capture(reference));
    expect(captured).toMatchObject({
      status: 'complete',
      payment: { kind: 'capture', amount: 1999n, currency: 'EUR', status: 'succeeded' },
    });
    expect(await fetchIt(reference)).toEqual({ kind: 'done', value: captured });
    const events = await webhookReferences();
    expect(events.get('CHECKOUT.ORDER.APPROVED')).toEqual([reference]);
    const [order, money] = captured.references;
    expect(events.get('PAYMENT.CAPTURE.COMPLETED')).toEqual([money, order]);
  });

  it('that nobody has approved asks for the customer', async () => {
    const { url, reference } = await make('order');
    expect(await capture(reference)).toEqual({ kind: 'customer_action', approvalUrl: url });
  });

  it('with a card that is declined is declined, and can be paid in another way', async () => {
    const { url, reference } = await make('order', 'approve_declined');
    expect(await capture(reference)).toMatchObject({
      kind: 'declined',
      code: 'INSTRUMENT_DECLINED',
      reason: expect.stringMatching(/^The payment was declined\..* \(debug id \w+\)$/) as string,
    });
    expect(valueOf(await fetchIt(reference)).status).toBe('open');
    await b.choose(url, 'approve');
    expect((await capture(reference, { key: 'op_7-2', repeated: false })).kind).toBe('done');
  });

  it('that a cheque pays is complete, and its payment pending until it clears', async () => {
    const { reference } = await make('order', 'approve_echeck');
    expect(await capture(reference)).toMatchObject({
      kind: 'pending',
      value: { status: 'complete', payment: { status: 'pending' } },
    });
    await b.core.clock.advanceTo(b.core.clock.now() + 73 * HOUR_MS);
    expect(await capture(reference, AGAIN)).toMatchObject({
      kind: 'done',
      value: { payment: { status: 'succeeded' } },
    });
  });

  it('is captured once when the answer was lost, under its key or after that has ended', async () => {
    const { reference } = await make('order', 'approve');
    const path = `/v2/checkout/orders/${reference.reference}/capture`;
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect((await capture(reference)).kind).toBe('unknown');
    const again = valueOf(await capture(reference, AGAIN));
    expect(again.payment?.status).toBe('succeeded');
    const late = valueOf(await capture(reference, { key: 'the-key-has-ended', repeated: true }));
    expect(late).toEqual(again);
    const captures = (await b.webhooks()).filter(
      ({ event }) => event.event_type === 'PAYMENT.CAPTURE.COMPLETED',
    );
    expect(captures).toHaveLength(1);
  });

  it('is in doubt when B fails or is too slow', async () => {
    const { reference } = await make('order', 'approve');
    const order = `/v2/checkout/orders/${reference.reference}`;
    for (const fault of ['answer_500', 'slow'] as const) {
      b.core.faults.set({ provider: 'b', path: order, fault, times: 1, delayMs: 5_000 });
      const outcome = await adapter.captureCheckout(accessTo(b.url, { timeoutMs: 500 }), reference, SENDING);
      expect(outcome.kind).toBe('unknown');
    }
  });

  it('is refused to those without credentials, unless it may have been captured before', async () => {
    const { reference } = await make('order', 'approve');
    const access = accessTo(b.url, { connectionId: 'conn_none', secrets: {} });
    expect(await adapter.captureCheckout(access, reference, SENDING)).toMatchObject({
      kind: 'declined',
      code: 'connection_incomplete',
    });
    expect((await adapter.captureCheckout(access, reference, AGAIN)).kind).toBe('unknown');
    expect(await adapter.fetchCheckout(access, reference)).toMatchObject({ code: 'connection_incomplete' });
  });

  it('that was abandoned is forgotten, which ends it', async () => {
    const { reference } = await make('order');
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
    await b.core.clock.advanceTo(b.core.clock.now() + 4 * HOUR_MS);
    expect(await fetchIt(reference)).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await capture(reference)).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
  });

  it('that is complete does not expire', async () => {
    const { reference } = await make('order', 'approve');
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
    await capture(reference);
    expect(await expire(reference)).toMatchObject({ kind: 'declined', code: 'checkout_complete' });
  });
});

describe('a subscription’s checkout at provider B', () => {
  it('is open, and complete with its payment, by the names that the events carry', async () => {
    const { url, reference } = await make('subscription');
    expect(valueOf(await fetchIt(reference))).toMatchObject({ status: 'open', payment: null });
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
    await b.choose(url, 'approve');
    const facts = valueOf(await fetchIt(reference));
    expect(facts).toMatchObject({
      status: 'complete',
      subscriptionReference: reference.reference,
      customerReference: expect.stringMatching(/^[A-Z0-9]{13}$/) as string,
    });
    const sale = referenceOf(facts.references, 'payment');
    expect((await webhookReferences()).get('PAYMENT.SALE.COMPLETED')).toEqual([sale, reference]);
    expect(await adapter.fetchPayment(accessTo(b.url), 'payment', sale.reference)).toEqual({
      kind: 'done',
      value: facts.payment,
    });
    expect(await expire(reference)).toMatchObject({ kind: 'declined', code: 'checkout_complete' });
  });

  it('has the last payment, not an earlier one', async () => {
    const { reference } = await make('subscription', 'approve');
    const first = valueOf(await fetchIt(reference)).payment;
    await b.core.clock.advanceTo(Date.parse('2027-02-16T00:00:00Z'));
    const second = valueOf(await fetchIt(reference)).payment;
    expect(second?.occurredAt).toBe(Date.parse('2027-02-15T10:00:00Z'));
    expect(second?.reference).not.toBe(first?.reference);
  });

  it('is expired when the subscription has ended', async () => {
    const { reference } = await make('subscription', 'approve');
    await b.call('POST', `/v1/billing/subscriptions/${reference.reference}/cancel`, { reason: 'x' });
    expect(valueOf(await fetchIt(reference))).toMatchObject({
      status: 'expired',
      payment: { amount: 2000n },
    });
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
  });

  it('is complete when the first payment was also the last', async () => {
    const made = await b.call('POST', '/v1/billing/subscriptions', {
      plan_id: 'P-ONCE',
      application_context: { return_url: 'https://shop.example/back' },
    });
    await b.choose(linkOf(made, 'approve'), 'approve');
    const { body } = await b.call('GET', `/v1/billing/subscriptions/${made.body.id}`);
    expect(body.status).toBe('EXPIRED');
    const reference = { kind: 'subscription', reference: made.body.id } as const;
    expect(valueOf(await fetchIt(reference))).toMatchObject({
      status: 'complete',
      payment: { amount: 500n },
    });
    expect(await expire(reference)).toMatchObject({ kind: 'declined', code: 'checkout_complete' });
  });

  it('is complete without a payment when the first one has failed', async () => {
    b.account.switches.failPayments = true;
    const { reference } = await make('subscription', 'approve');
    expect(valueOf(await fetchIt(reference))).toMatchObject({ status: 'complete', payment: null });
  });

  it('is not captured by anybody here', async () => {
    const { reference } = await make('subscription', 'approve');
    expect((await capture(reference)).kind).toBe('unsupported');
  });

  it('is in doubt when its payments cannot be had', async () => {
    const { reference } = await make('subscription', 'approve');
    const path = `/v1/billing/subscriptions/${reference.reference}/transactions`;
    b.core.faults.set({ provider: 'b', path, fault: 'answer_500', times: 1 });
    expect((await fetchIt(reference)).kind).toBe('unknown');
    expect((await fetchIt(reference)).kind).toBe('done');
  });

  it.each(['capture', 'customer'] as const)('is not named by a %s', async (kind) => {
    const reference = { kind, reference: 'X' };
    const outcomes = await Promise.all([fetchIt(reference), capture(reference), expire(reference)]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['unsupported', 'unsupported', 'unsupported']);
  });

  it('that B does not know is not found, and has nothing to end', async () => {
    const reference = { kind: 'subscription', reference: 'I-NONE' } as const;
    expect(await fetchIt(reference)).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await expire(reference)).toEqual({ kind: 'done', value: null });
  });
});
