import type { RefundRequest } from '../../../src/providers/provider-operations';
import { providerC } from '../../../src/providers/provider-c/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import { only, START, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { refusal, withStub } from './stub-provider';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

async function paid(amount = 10_000): Promise<string> {
  const { reference } = await c.checkout({ amount }, 'pay');
  await c.delivered();
  return reference;
}
const request = (reference: string, more: Partial<RefundRequest> = {}): RefundRequest => ({
  key: 'op-1',
  repeated: false,
  payment: { kind: 'payment', reference },
  amount: 4_000n,
  currency: 'NGN',
  refundId: 'rfd_1',
  ...more,
});
const refund = (reference: string, more: Partial<RefundRequest> = {}) =>
  providerC.refundPayment(c.access, request(reference, more));
const all = async (reference: string) => {
  const outcome = await providerC.fetchRefundsOf(c.access, reference);
  return outcome.kind === 'done' ? outcome.value : [];
};

describe('a refund of provider C', () => {
  it('is accepted, and reported under the reference of its payment', async () => {
    const reference = await paid();
    const outcome = await refund(reference);
    const [made] = await all(reference);
    expect(outcome).toEqual({
      kind: 'pending',
      value: {
        reference: made?.reference,
        of: { kind: 'payment', reference },
        amount: 4_000n,
        currency: 'NGN',
        status: 'pending',
        totalRefunded: null,
        createdAt: expect.any(Number) as number,
      },
    });
    const event = providerC.readEvent(only(await c.delivered(), 'refund.pending').raw);
    expect(event).toMatchObject({ refund: { reference: null, of: { kind: 'payment', reference } } });
    expect(made?.reference).toMatch(/^\d+$/);
  });

  it('is one refund, however often it is sent after a lost answer, and done when the bank has paid', async () => {
    const reference = await paid();
    c.core.faults.set({ provider: 'c', path: '/refund', fault: 'cut_after_commit', times: 1 });
    expect((await refund(reference)).kind).toBe('unknown');
    expect(await refund(reference, { repeated: true })).toMatchObject({ kind: 'pending' });
    await c.core.clock.advanceTo(START + DAY_MS);
    expect(await refund(reference, { repeated: true })).toMatchObject({
      kind: 'done',
      value: { status: 'succeeded', amount: 4_000n },
    });
    expect(await all(reference)).toHaveLength(1);
  });

  it('is sent again where the first sending never came', async () => {
    const reference = await paid();
    c.core.faults.set({ provider: 'c', path: '/refund', fault: 'answer_500', times: 1 });
    expect((await refund(reference)).kind).toBe('unknown');
    expect((await refund(reference, { repeated: true })).kind).toBe('pending');
    expect(await all(reference)).toHaveLength(1);
  });

  it('of the same amount as another is another', async () => {
    const reference = await paid();
    await refund(reference);
    await refund(reference, { refundId: 'rfd_2', key: 'op-2', repeated: true });
    expect((await all(reference)).map(({ amount }) => amount)).toEqual([4_000n, 4_000n]);
  });

  it('of a whole payment leaves nothing to give back', async () => {
    const reference = await paid();
    expect((await refund(reference, { amount: 10_000n })).kind).toBe('pending');
    await c.core.clock.advanceTo(START + DAY_MS);
    expect(await providerC.fetchPayment(c.access, 'payment', reference)).toMatchObject({
      value: { status: 'succeeded' },
    });
    expect(await refund(reference, { refundId: 'rfd_2' })).toMatchObject({
      kind: 'declined',
      code: 'transaction_not_refundable',
    });
  });

  it('that the bank returned is declined when it is requested again', async () => {
    const reference = await paid();
    c.controls.setRefundsEnd('failed');
    await refund(reference);
    await c.core.clock.advanceTo(START + DAY_MS);
    expect(await refund(reference, { repeated: true })).toMatchObject({
      kind: 'declined',
      code: 'refund_failed',
    });
    expect(await all(reference)).toMatchObject([{ status: 'failed' }]);
  });

  it('may name the payment by its number', async () => {
    const reference = await paid();
    const { body } = await c.call('GET', `/transaction/verify/${reference}`);
    const payment = { kind: 'charge', reference: String(body.data['id']) } as const;
    expect(await refund(reference, { payment })).toMatchObject({
      kind: 'pending',
      value: { of: { kind: 'payment', reference } },
    });
  });

  it('is refused with a code and words for a customer', async () => {
    const reference = await paid();
    expect(await refund(reference, { amount: 10_001n })).toEqual({
      kind: 'declined',
      code: 'invalid_amount',
      reason:
        'The payment provider refused the refund. (Refund amount cannot be more than the amount left of the transaction)',
    });
    expect(await refund(reference, { currency: 'GHS' })).toMatchObject({ code: 'invalid_params' });
    const missing = { kind: 'declined', code: 'not_found' };
    expect(await refund('nothing')).toMatchObject(missing);
    expect(await refund('nothing', { repeated: true })).toMatchObject(missing);
    expect(await refund('', { payment: { kind: 'charge', reference: '1' } })).toMatchObject(missing);
    for (const wrong of [{ amount: 0n }, { amount: -1n }, { currency: 'KWD', amount: 1n }]) {
      expect(await refund(reference, wrong)).toMatchObject({ code: 'amount_not_possible' });
    }
    expect((await refund('', { payment: { kind: 'invoice', reference: 'INV_1' } })).kind).toBe('unsupported');
    expect(await all(reference)).toEqual([]);
  });

  it('that may have been sent is not declined if the key is refused now', async () => {
    const stranger = { ...c.access, secrets: { secretKey: 'sk_test_stranger' } };
    expect(await providerC.refundPayment(stranger, request('x'))).toMatchObject({
      kind: 'declined',
      code: 'authentication_failed',
    });
    expect((await providerC.refundPayment(stranger, request('x', { repeated: true }))).kind).toBe('unknown');
  });

  it('is not sent again while the list of refunds cannot be read', async () => {
    const reference = await paid();
    c.core.faults.set({ provider: 'c', path: '/transaction', fault: 'answer_500', times: 1 });
    expect((await refund(reference, { repeated: true })).kind).toBe('unknown');
    expect(await all(reference)).toEqual([]);
  });
});

describe('a refund at a provider that answers strangely', () => {
  const made = {
    id: 9,
    domain: 'test',
    transaction: { reference: 'ref' },
    amount: '4000',
    currency: 'NGN',
    status: 'pending',
    merchant_note: 'rfd_1',
  };

  it.each([
    ['another payment', { ...made, transaction: { reference: 'other' } }],
    ['a status that is not known', { ...made, status: 'new' }],
    ['an amount that is none', { ...made, amount: 'much' }],
    ['nothing', {}],
  ])('is not known after %s', async (_what, data) => {
    await withStub(
      c.access,
      () => ({ body: { status: true, message: '', data } }),
      async (access) => {
        expect((await providerC.refundPayment(access, request('ref'))).kind).toBe('unknown');
      },
    );
  });

  it('is not known where no answer comes in time', async () => {
    const limit = new AbortController();
    const shorter = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit.signal);
    try {
      await withStub(
        c.access,
        () => {
          limit.abort(new DOMException('The time is over.', 'TimeoutError'));
          return 'silence';
        },
        async (access, requests) => {
          const outcome = await providerC.refundPayment(access, request('ref'));
          expect(outcome.kind).toBe('unknown');
          expect(requests).toHaveLength(1);
        },
      );
    } finally {
      shorter.mockRestore();
    }
  });

  it('is found on a later page', async () => {
    const transaction = {
      id: 1,
      domain: 'test',
      status: 'success',
      reference: 'ref',
      amount: 1,
      currency: 'NGN',
    };
    const other = (id: number) => ({ ...made, id, transaction: 1, merchant_note: null });
    const pages = [
      Array.from({ length: 100 }, (_, place) => other(1_000 - place)),
      [{ ...made, transaction: 1 }],
    ];
    await withStub(
      c.access,
      ({ method, path }) => {
        if (path.startsWith('/transaction')) return { body: { status: true, data: transaction } };
        if (method === 'POST') return refusal(400, 'sent_twice', 'no');
        const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
        // Some lists do not report their number of pages.
        return { body: { status: true, data: pages[page - 1], meta: { total: 101 } } };
      },
      async (access) => {
        expect(await providerC.refundPayment(access, request('ref', { repeated: true }))).toMatchObject({
          kind: 'pending',
          value: { reference: '9' },
        });
      },
    );
  });

  it('is the earlier sending’s, where that came through while this one was on its way', async () => {
    const transaction = {
      id: 1,
      domain: 'test',
      status: 'success',
      reference: 'ref',
      amount: 1,
      currency: 'NGN',
    };
    let isMade = false;
    await withStub(
      c.access,
      ({ method, path }) => {
        if (path.startsWith('/transaction')) return { body: { status: true, data: transaction } };
        if (method === 'GET')
          return { body: { status: true, data: isMade ? [{ ...made, transaction: 1 }] : [] } };
        isMade = true;
        return refusal(400, 'invalid_amount', 'Nothing is left');
      },
      async (access) => {
        expect(await providerC.refundPayment(access, request('ref', { repeated: true }))).toMatchObject({
          kind: 'pending',
          value: { reference: '9' },
        });
        expect(await providerC.refundPayment(access, request('ref'))).toMatchObject({
          kind: 'declined',
          code: 'invalid_amount',
        });
      },
    );
  });

  it('is not known, and not sent, where the list does not end', async () => {
    await withStub(
      c.access,
      ({ path }) =>
        path.startsWith('/transaction')
          ? {
              body: {
                status: true,
                data: {
                  id: 1,
                  domain: 'test',
                  status: 'success',
                  reference: 'ref',
                  amount: 1,
                  currency: 'NGN',
                },
              },
            }
          : { body: { status: true, data: [], meta: { pageCount: 1_000 } } },
      async (access, requests) => {
        const outcome = await providerC.refundPayment(access, request('ref', { repeated: true }));
        expect(outcome.kind).toBe('unknown');
        expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
      },
    );
  });
});
