import { createProviderB } from '../../../src/providers/provider-b/adapter';
import type { ProviderReference, RefundRequest } from '../../../src/providers/provider-operations';
import { paymentCheckout, referenceOf, subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });
const KINDS = ['capture', 'payment'] as const;

function refundOf(payment: ProviderReference, changes: Partial<RefundRequest> = {}): RefundRequest {
  return {
    key: 'op_4-1',
    repeated: false,
    payment,
    amount: 500n,
    currency: 'USD',
    refundId: 'rfd_1',
    ...changes,
  };
}

describe('a refund at provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  /** Makes a payment of 20.00 USD: a capture of an order, or a sale of a subscription. */
  async function pay(kind: (typeof KINDS)[number], choice = 'approve'): Promise<ProviderReference> {
    const offer = { kind: 'payment' as const, amount: 2000n, currency: 'USD', description: 'x' };
    const request = kind === 'capture' ? paymentCheckout({ offer }) : subscriptionCheckout();
    const { url, references } = valueOf(await adapter.createCheckout(accessTo(b.url), request));
    await b.choose(url, choice);
    const [reference] = references;
    const sending = { key: 'op_3-1', repeated: false };
    const facts =
      kind === 'capture'
        ? await adapter.captureCheckout(accessTo(b.url), reference, sending)
        : await adapter.fetchCheckout(accessTo(b.url), reference);
    await b.webhooks();
    return referenceOf(valueOf(facts).references, kind);
  }
  const refund = (payment: ProviderReference, changes: Partial<RefundRequest> = {}) =>
    adapter.refundPayment(accessTo(b.url), refundOf(payment, changes));
  const refundedOf = async () =>
    (await b.webhooks()).filter(({ event }) => event.event_type.endsWith('.REFUNDED'));

  it.each(KINDS)('of a %s is in part and then of the rest, as the event says', async (kind) => {
    const payment = await pay(kind);
    const first = valueOf(await refund(payment));
    expect(first).toEqual({
      reference: expect.any(String) as string,
      of: payment,
      amount: 500n,
      currency: 'USD',
      status: 'succeeded',
      totalRefunded: 500n,
      createdAt: expect.any(Number) as number,
    });
    const [event] = await refundedOf();
    expect(adapter.readEvent(event?.raw ?? Buffer.of())).toMatchObject({
      type: 'refund.changed',
      references: [{ kind: 'refund', reference: first.reference }, payment],
      refund: first,
    });
    const rest = valueOf(await refund(payment, { key: 'op_4-2', amount: 1500n, refundId: 'rfd_2' }));
    expect(rest).toMatchObject({ amount: 1500n, totalRefunded: 2000n });
    expect(await adapter.fetchRefund(accessTo(b.url), rest.reference ?? '')).toEqual({
      kind: 'done',
      // Version 2 of the API names the payment, too, and calls it a capture.
      value: { ...rest, of: { ...rest.of, kind: 'capture' } },
    });
  });

  it('of a payment is known by our id in either version of the API', async () => {
    const refundId = `ref_${'0'.repeat(26)}`;
    const { reference } = valueOf(await refund(await pay('payment'), { refundId }));
    const fetched = await adapter.fetchRefund(accessTo(b.url), reference ?? '');
    expect(fetched).toMatchObject({ kind: 'done', value: { refundId } });
  });

  it('of a capture keeps our refund’s id at B', async () => {
    const { reference } = valueOf(await refund(await pay('capture')));
    const { body } = await b.call('GET', `/v2/payments/refunds/${reference ?? ''}`);
    expect(body['custom_id']).toBe('rfd_1');
  });

  it.each(KINDS)('of a %s gives the money back once, though its answer was lost', async (kind) => {
    const payment = await pay(kind);
    const path = kind === 'capture' ? '/v2/payments/captures' : '/v1/payments/sale';
    b.core.faults.set({ provider: 'b', path, fault: 'cut_after_commit', times: 1 });
    expect((await refund(payment)).kind).toBe('unknown');
    const again = valueOf(await refund(payment, { repeated: true }));
    expect(again).toMatchObject({ amount: 500n, totalRefunded: 500n });
    expect(valueOf(await refund(payment, { repeated: true }))).toEqual(again);
    expect(await refundedOf()).toHaveLength(1);
  });

  it.each([
    ['capture', { amount: 2001n }, 'REFUND_AMOUNT_EXCEEDED'],
    ['capture', { currency: 'EUR' }, 'CURRENCY_MISMATCH'],
    ['capture', { amount: 0n }, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['capture', { currency: 'XXX' }, 'amount_not_supported'],
    ['payment', { amount: 2001n }, 'REFUND_EXCEEDED_TRANSACTION_AMOUNT'],
  ] as const)('of a %s with %p is refused with %s', async (kind, changes, code) => {
    const outcome = await refund(await pay(kind), changes);
    expect(outcome).toMatchObject({ kind: 'declined', code });
    expect(JSON.stringify(outcome)).not.toContain('/payments/');
    expect(await refundedOf()).toEqual([]);
  });

  it.each([
    ['capture', 'CAPTURE_FULLY_REFUNDED'],
    ['payment', 'TRANSACTION_ALREADY_REFUNDED'],
  ] as const)('of a %s of which nothing is left is refused with %s', async (kind, code) => {
    const payment = await pay(kind);
    await refund(payment, { amount: 2000n });
    expect(await refund(payment, { key: 'op_4-2' })).toMatchObject({ kind: 'declined', code });
  });

  it('of a cheque that has not cleared, or of long ago, is refused', async () => {
    const cheque = await pay('capture', 'approve_echeck');
    expect(await refund(cheque)).toMatchObject({ kind: 'declined', code: 'PENDING_CAPTURE' });
    await b.core.clock.advanceTo(Date.parse('2027-09-01T00:00:00Z'));
    expect(await refund(cheque)).toMatchObject({ kind: 'declined', code: 'REFUND_TIME_LIMIT_EXCEEDED' });
  });

  it.each(['order', 'invoice', 'charge'] as const)('is never asked for by the %s', async (kind) => {
    expect(await refund({ kind, reference: 'X' })).toMatchObject({
      kind: 'declined',
      code: 'capture_unknown',
    });
  });

  it('is in doubt when B fails or is too slow, and refused of what B does not know', async () => {
    const payment = await pay('capture');
    for (const fault of ['answer_500', 'slow'] as const) {
      b.core.faults.set({ provider: 'b', path: '/v2/payments/', fault, times: 1, delayMs: 5_000 });
      expect((await adapter.refundPayment(accessTo(b.url, { timeoutMs: 500 }), refundOf(payment))).kind).toBe(
        'unknown',
      );
    }
    for (const kind of KINDS) {
      expect(await refund({ kind, reference: 'NONE' })).toMatchObject({ code: 'not_found' });
    }
  });
});

describe('what provider B answers to a refund', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  const refund = (kind: ProviderReference['kind'] = 'capture') =>
    adapter.refundPayment(
      accessTo(stub.url, { connectionId: stub.url }),
      refundOf({ kind, reference: 'C-1' }),
    );
  const amount = { value: '5.0', currency_code: 'USD' };

  it.each([
    ['PENDING', { kind: 'pending', value: { status: 'pending', reference: 'R-1' } }],
    ['FAILED', { kind: 'declined', code: 'REFUND_FAILED' }],
    ['CANCELLED', { kind: 'declined', code: 'REFUND_FAILED' }],
    ['SLEEPING', { kind: 'unknown' }],
  ])('is %s', async (status, outcome) => {
    stub.reply = () => ({ status: 201, body: { id: 'R-1', status, amount } });
    expect(await refund()).toMatchObject(outcome);
  });

  it.each([
    ['pending', { kind: 'pending' }],
    ['failed', { kind: 'declined', code: 'REFUND_FAILED' }],
    ['sleeping', { kind: 'unknown' }],
  ])('is %s of a subscription’s payment', async (state, outcome) => {
    const body = { id: 'R-1', state, amount: { total: '5.00', currency: 'USD' }, sale_id: 'C-1' };
    stub.reply = () => ({ status: 201, body });
    expect(await refund('payment')).toMatchObject(outcome);
    expect(stub.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/payments/sale/C-1/refund',
        requestId: 'op_4-1',
        prefer: undefined,
        body: { amount: { total: '5.00', currency: 'USD' }, invoice_number: 'rfd_1' },
      },
    ]);
  });

  it('is read from the refund when it is the least', async () => {
    stub.reply = ({ method }) =>
      method === 'POST'
        ? { status: 201, body: { id: 'R-1', status: 'COMPLETED' } }
        : { status: 200, body: { id: 'R-1', status: 'COMPLETED', amount } };
    expect(await refund()).toMatchObject({ kind: 'done', value: { reference: 'R-1', amount: 500n } });
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/payments/captures/C-1/refund',
      'GET /v2/payments/refunds/R-1',
    ]);
    expect(stub.requests[0]).toMatchObject({
      requestId: 'op_4-1',
      prefer: 'return=representation',
      body: { amount: { value: '5.00', currency_code: 'USD' }, custom_id: 'rfd_1' },
    });
  });

  it.each([{}, '', { id: '../x', status: 'COMPLETED', amount }])(
    'is in doubt when it is %j',
    async (body) => {
      stub.reply = () => ({ status: 201, body });
      expect((await refund()).kind).toBe('unknown');
      expect((await refund('payment')).kind).toBe('unknown');
    },
  );

  it.each([400, 404, 405, 413, 422, 451])('is in doubt when a proxy refuses it with %i', async (status) => {
    stub.reply = () => ({ status, body: '<html>Refused by the gateway</html>' });
    expect((await refund()).kind).toBe('unknown');
    expect((await refund('payment')).kind).toBe('unknown');
  });

  it.each([null, [], {}, [{ issue: null, field: '/amount' }]])(
    'is refused in B’s own format, whatever its details (%j)',
    async (details) => {
      const body = { name: 'INVALID_REQUEST', message: 'No.', debug_id: null, details };
      stub.reply = () => ({ status: 400, body });
      expect(await refund()).toMatchObject({ kind: 'declined', code: 'INVALID_REQUEST' });
    },
  );

  it('is in doubt when the refund cannot be read after it was made', async () => {
    stub.reply = ({ method }) =>
      method === 'POST' ? { status: 201, body: { id: 'R-1' } } : { status: 404, body: { name: 'X' } };
    expect((await refund()).kind).toBe('unknown');
  });
});
