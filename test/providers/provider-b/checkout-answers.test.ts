import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { accessTo } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });
const ORDER = { kind: 'order', reference: 'O-1' } as const;
const SENDING = { key: 'op_7-1', repeated: false };

let stub: StubProviderB;
beforeEach(async () => {
  stub = await startStubProviderB();
});
afterEach(() => stub.stop());

const access = () => accessTo(stub.url, { connectionId: stub.url });
const capture = () => adapter.captureCheckout(access(), ORDER, SENDING);

function order(status: string, captures?: object[]): object {
  const amount = { value: '19.99', currency_code: 'EUR' };
  const payments = captures === undefined ? {} : { payments: { captures } };
  return { id: 'O-1', status, purchase_units: [{ amount, ...payments }] };
}

function captureObject(status: string): object {
  return { id: 'C-1', status, amount: { value: '19.99', currency_code: 'EUR' } };
}

describe('what provider B answers to a capture', () => {
  it('comes under the key, with the whole order', async () => {
    stub.reply = () => ({ status: 201, body: order('COMPLETED', [captureObject('COMPLETED')]) });
    expect(await capture()).toMatchObject({
      kind: 'done',
      value: { references: [ORDER, { kind: 'capture', reference: 'C-1' }] },
    });
    expect(stub.requests).toEqual([
      {
        method: 'POST',
        path: '/v2/checkout/orders/O-1/capture',
        requestId: 'op_7-1',
        prefer: 'return=representation',
        body: {},
      },
    ]);
  });

  it.each([{ id: 'O-1', status: 'COMPLETED' }, '', { purchase_units: 7 }])(
    'is read from the order when it is only %j',
    async (body) => {
      stub.reply = ({ method }) =>
        method === 'POST'
          ? { status: 201, body }
          : { status: 200, body: order('COMPLETED', [captureObject('COMPLETED')]) };
      expect(await capture()).toMatchObject({ kind: 'done', value: { payment: { reference: 'C-1' } } });
    },
  );

  it.each(['DECLINED', 'FAILED'])(
    'is a refusal when the capture of a complete order is %s',
    async (status) => {
      stub.reply = () => ({ status: 201, body: order('COMPLETED', [captureObject(status)]) });
      expect(await capture()).toMatchObject({ kind: 'declined', code: 'CAPTURE_DECLINED' });
    },
  );

  it.each([
    order('COMPLETED'),
    order('APPROVED'),
    order('SLEEPING'),
    order('COMPLETED', [captureObject('SLEEPING')]),
    order('COMPLETED', [{ ...captureObject('COMPLETED'), amount: { value: 19.99, currency_code: 7 } }]),
  ])('is in doubt when the order is %j', async (body) => {
    stub.reply = () => ({ status: 200, body });
    expect((await capture()).kind).toBe('unknown');
  });

  it.each([401, 403, 404, 422])('is in doubt when B answers the order after it with %i', async (status) => {
    stub.reply = ({ method }) =>
      method === 'POST'
        ? { status: 422, body: { name: 'X', details: [{ issue: 'ORDER_ALREADY_CAPTURED' }] } }
        : { status, body: { name: 'X' } };
    expect((await capture()).kind).toBe('unknown');
  });

  it.each([
    [422, 'PAYER_ACTION_REQUIRED', { kind: 'customer_action' }],
    [422, 'DUPLICATE_INVOICE_ID', { kind: 'declined', code: 'DUPLICATE_INVOICE_ID' }],
    [404, 'INVALID_RESOURCE_ID', { kind: 'declined', code: 'not_found' }],
    [503, 'ANY', { kind: 'unknown' }],
  ])('is %i %s', async (status, issue, outcome) => {
    stub.reply = ({ method }) =>
      method === 'POST'
        ? { status, body: { name: 'X', message: 'm', details: [{ issue }] } }
        : { status: 200, body: order('CREATED') };
    expect(await capture()).toMatchObject(outcome);
  });
});

describe('what provider B answers of a checkout', () => {
  it.each([
    ['SAVED', 'open'],
    ['VOIDED', 'expired'],
  ])('calls an order %s that is %s', async (status, expected) => {
    stub.reply = () => ({ status: 200, body: order(status) });
    expect(await adapter.fetchCheckout(access(), ORDER)).toMatchObject({ value: { status: expected } });
  });

  it('is of a 404 nothing, when it is not B’s own', async () => {
    stub.reply = () => ({ status: 404, body: '<html>no such host</html>' });
    expect((await adapter.fetchCheckout(access(), ORDER)).kind).toBe('unknown');
    expect((await adapter.expireCheckout(access(), ORDER)).kind).toBe('unknown');
  });
});
