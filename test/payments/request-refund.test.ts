import { DAY_MS } from '../../src/domain/instant';
import { requestRefund, pollRefund, type RefundAttempt } from '../../src/payments/request-refund';
import { refundableReference } from '../../src/payments/refundable-reference';
import type { RefundFacts } from '../../src/providers/canonical-event';
import type { Outcome } from '../../src/providers/outcome';
import type { ProviderReference, RefundRequest } from '../../src/providers/provider-operations';

/** How a provider's answers to a refund are interpreted, and which reference each provider is asked about. */
const access = {
  connectionId: 'conn_1',
  apiMode: 'sandbox',
  secretVersion: 1,
  secrets: {},
  settings: {},
} as const;
const facts: RefundFacts = {
  reference: 're_1',
  of: { kind: 'payment', reference: 'pi_1' },
  amount: 500n,
  currency: 'USD',
  status: 'succeeded',
  totalRefunded: null,
};
const errand: RefundAttempt = {
  refundId: 'ref_1',
  payment: facts.of,
  amount: 500n,
  currency: 'USD',
  mayExist: false,
  known: null,
  requestedAt: 0,
  at: 0,
};

function provider(answers: { refund?: Outcome<RefundFacts>; fetch?: Outcome<RefundFacts> }) {
  const [sent, fetched]: [RefundRequest[], string[]] = [[], []];
  const missing = { kind: 'unknown', reason: 'No answer is set.' } as const;
  const adapter: Parameters<typeof requestRefund>[0]['adapter'] = {
    refundPayment: (_, request) => {
      sent.push(request);
      return Promise.resolve(answers.refund ?? missing);
    },
    fetchRefund: (_, reference) => {
      fetched.push(reference);
      return Promise.resolve(answers.fetch ?? missing);
    },
  };
  return { connected: { adapter, access }, sent, fetched };
}

const declined = (code: string) => ({ kind: 'declined', code, reason: 'No.' }) as const;

test.each<[string, Outcome<RefundFacts>, string]>([
  ['is done', { kind: 'done', value: facts }, 'done'],
  ['was taken on', { kind: 'pending', value: { ...facts, status: 'pending' } }, 'pending'],
  ['is called done and pending', { kind: 'done', value: { ...facts, status: 'pending' } }, 'pending'],
  ['came back', { kind: 'done', value: { ...facts, status: 'failed' } }, 'declined'],
  ['is refused', declined('charge_already_refunded'), 'declined'],
  ['is impossible', { kind: 'unsupported', reason: 'No.' }, 'declined'],
  ['has credentials that are refused', declined('authentication_failed'), 'declined'],
  ['may have been done', { kind: 'unknown', reason: 'timed out' }, 'unknown'],
])('a refund that %s', async (_, refund, kind) => {
  const { connected, sent } = provider({ refund });
  expect((await requestRefund(connected, errand)).outcome.kind).toBe(kind);
  expect(sent).toMatchObject([{ key: 'ref_1', refundId: 'ref_1', repeated: false, payment: facts.of }]);
});

test.each(['authentication_failed', 'connection_incomplete', 'permission_denied', 'not_permitted'])(
  'of a refund that may have been made before, %s says nothing',
  async (code) => {
    const { connected } = provider({ refund: declined(code) });
    const result = await requestRefund(connected, { ...errand, mayExist: true });
    expect(result).toEqual({ outcome: { kind: 'unknown' }, facts: null });
  },
);

test.each([
  ['was not sent before', { mayExist: false, at: 0 }, 'declined'],
  ['may have been made in another account', { mayExist: true, at: 7 * DAY_MS - 1 }, 'unknown'],
  ['may have been made in another account a week ago', { mayExist: true, at: 7 * DAY_MS }, 'declined'],
])('a refund that %s, of a payment that is not found', async (_, of, kind) => {
  const { connected } = provider({ refund: declined('not_found') });
  expect((await requestRefund(connected, { ...errand, ...of })).outcome.kind).toBe(kind);
});

describe('a refund whose name is known', () => {
  const known = { ...errand, mayExist: true, known: 're_1' };

  test('is looked up and not sent again', async () => {
    const { connected, sent, fetched } = provider({ fetch: { kind: 'done', value: facts } });
    expect(await requestRefund(connected, known)).toEqual({ outcome: { kind: 'done' }, facts });
    expect([sent, fetched]).toEqual([[], ['re_1']]);
  });

  test.each<[string, Outcome<RefundFacts>]>([
    ['refused', declined('authentication_failed')],
    ['not answered', { kind: 'unknown', reason: 'timed out' }],
  ])('stays as it is while the look is %s', async (_, fetch) => {
    const { connected, sent } = provider({ fetch });
    expect((await requestRefund(connected, known)).outcome.kind).toBe('unknown');
    expect(sent).toEqual([]);
  });

  test.each<[string, Outcome<RefundFacts>]>([
    ['cannot look', { kind: 'unsupported', reason: 'No.' }],
    ['does not find it', declined('not_found')],
  ])('is asked for again under its key where the provider %s', async (_, fetch) => {
    const { connected, sent } = provider({ fetch, refund: { kind: 'done', value: facts } });
    expect((await requestRefund(connected, known)).outcome.kind).toBe('done');
    expect(sent).toMatchObject([{ key: 'ref_1', repeated: true }]);
  });
});

test.each<[string, Outcome<RefundFacts>, string]>([
  ['is done', { kind: 'done', value: facts }, 'done'],
  ['came back', { kind: 'done', value: { ...facts, status: 'failed' } }, 'declined'],
  ['still goes on', { kind: 'done', value: { ...facts, status: 'pending' } }, 'pending'],
  ['is not found', declined('not_found'), 'pending'],
  ['cannot be looked at', { kind: 'unsupported', reason: 'No.' }, 'pending'],
  ['is not told of', { kind: 'unknown', reason: 'timed out' }, 'pending'],
])('a refund that was made at the provider and %s is never asked for', async (_, fetch, kind) => {
  const { connected, sent, fetched } = provider({ fetch });
  expect((await pollRefund(connected, 're_1')).kind).toBe(kind);
  expect([sent, fetched]).toEqual([[], ['re_1']]);
});

describe('the name by which a payment is refunded', () => {
  const named = (reference: string | null, ...references: ProviderReference[]) => ({
    id: 'pay_1',
    reference,
    connectionId: 'conn_1',
    references,
  });
  const order = { kind: 'order', reference: 'ORDER' } as const;
  const capture = { kind: 'capture', reference: 'CAPTURE' } as const;
  const payment = { kind: 'payment', reference: 'PAYMENT' } as const;
  const charge = { kind: 'charge', reference: 'CHARGE' } as const;

  test.each([
    ['A: the payment', 'provider_a', [charge, payment], payment],
    ['A: the charge without one', 'provider_a', [charge], charge],
    ['B: the capture, never the order', 'provider_b', [order, capture], capture],
    ['B: the sale of a subscription', 'provider_b', [payment], payment],
    ['C: the transaction', 'provider_c', [charge, payment], payment],
  ] as const)('%s', (_, by, references, expected) => {
    const found = refundableReference(named(null, ...references), by);
    expect(found).toEqual({ connectionId: 'conn_1', reference: expected });
  });

  test('of two of a kind it is the payment’s own', () => {
    const other = { kind: 'payment', reference: 'OTHER' } as const;
    const found = refundableReference(named('OTHER', payment, other), 'provider_a');
    expect(found.reference).toEqual(other);
  });

  test('an order alone is refused: it may have several captures', () => {
    expect(() => refundableReference(named('ORDER', order), 'provider_b')).toThrow(/capture or sale/);
  });
});
