import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { accessTo } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });

let stub: StubProviderB;
beforeEach(async () => {
  stub = await startStubProviderB();
});
afterEach(() => stub.stop());

const PAID_AT = '2027-01-15T10:00:00Z';

test('a payment whose status is unknown does not hide the others', async () => {
  const gross = { currency_code: 'USD', value: '10.00' };
  const payment = (id: string, status: string) => ({
    id,
    status,
    amount_with_breakdown: { gross_amount: gross },
    time: PAID_AT,
  });
  stub.reply = ({ path }) =>
    path.includes('/transactions')
      ? {
          status: 200,
          body: { transactions: [payment('PAY-1', 'COMPLETED'), payment('PAY-2', 'ON_HOLD_BY_BANK')] },
        }
      : {
          status: 200,
          body: {
            id: 'I-1',
            status: 'ACTIVE',
            plan_id: 'P-BASIC',
            billing_info: { last_payment: { amount: gross, time: PAID_AT } },
          },
        };
  const listed = await adapter.listPayments?.(accessTo(stub.url), 'I-1', Date.parse('2027-01-01T00:00:00Z'));
  expect(listed).toMatchObject({
    kind: 'done',
    value: [{ payment: { reference: 'PAY-1', status: 'succeeded' } }],
  });
});

test('payments of which B lists only a part, however short the range, are not read at all', async () => {
  const last = { amount: { currency_code: 'USD', value: '10.00' }, time: PAID_AT };
  stub.reply = ({ path }) => ({
    status: 200,
    body: path.includes('/transactions')
      ? { transactions: [], total_items: 21, total_pages: 3 }
      : { id: 'I-1', status: 'ACTIVE', plan_id: 'P-BASIC', billing_info: { last_payment: last } },
  });
  const listed = await adapter.listPayments?.(accessTo(stub.url), 'I-1', Date.parse('2027-01-01T00:00:00Z'));
  expect(listed).toMatchObject({ kind: 'unknown' });
});
