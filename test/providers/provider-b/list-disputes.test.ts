import type { ListedDispute } from '../../../src/providers/canonical-event';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });
const SINCE = Date.parse('2027-01-01T00:00:00Z');

async function listAll(url: string): Promise<ListedDispute[]> {
  const outcome = await adapter.listDisputes?.(accessTo(url), SINCE);
  if (outcome === undefined) throw new Error('The adapter lists no disputes.');
  return valueOf(outcome);
}

describe('the list of disputes of provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  it('is read to its last page, the earliest first', async () => {
    const request = subscriptionCheckout({ key: 'op_1' });
    const subscription = valueOf(await adapter.createCheckout(accessTo(b.url), request));
    await b.choose(subscription.url, 'approve');
    const [sale] = b.account.books().payments;
    const opened: string[] = [];
    for (let count = 0; count < 101; count += 1) {
      opened.push(b.account.dispute(sale?.reference ?? ''));
      await b.core.clock.advanceTo(b.core.clock.now() + 60_000);
    }
    const listed = await listAll(b.url);
    expect(listed.map(({ dispute }) => dispute.reference)).toEqual(opened);
  });
});

describe('a page of disputes', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  const dispute = (id: string, disputed: object): object => ({
    dispute_id: id,
    create_time: '2027-01-15T08:00:00.000Z',
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_amount: { value: '10.00', currency_code: 'USD' },
    disputed_transactions: [disputed],
  });

  it('has disputes of several transactions, of which any may be the one that is known here', async () => {
    const all = [
      { buyer_transaction_id: '0' },
      { seller_transaction_id: '1' },
      { seller_transaction_id: '2' },
    ];
    const body = { ...dispute('PP-D-1', {}), disputed_transactions: all };
    stub.reply = ({ path }) => ({ status: 200, body: path.includes('/PP-D-') ? body : { items: [body] } });
    const [listed] = await listAll(stub.url);
    expect(listed?.dispute.of).toEqual({ kind: 'capture', reference: '1' });
    expect(listed?.references).toEqual([
      { kind: 'payment', reference: '1' },
      { kind: 'capture', reference: '1' },
      { kind: 'payment', reference: '2' },
      { kind: 'capture', reference: '2' },
    ]);
  });

  it('is asked for by the token of the one before, at the address of the connection', async () => {
    stub.reply = ({ path }) => {
      if (path.includes('/PP-D-')) {
        const body = dispute(path.slice(path.lastIndexOf('/') + 1), { seller_transaction_id: '1' });
        return { status: 200, body };
      }
      const isNext = path.includes('next_page_token=');
      const href =
        'https://api.paypal.com/v1/customer/disputes?page_size=50&next_page_token=abc%2Bd%3D&start_time=x';
      return {
        status: 200,
        body: {
          items: [dispute(isNext ? 'PP-D-1' : 'PP-D-2', {})],
          links: isNext ? [{ href, rel: 'self' }] : [{ href, rel: 'next' }],
        },
      };
    };
    const listed = await listAll(stub.url);
    expect(listed).toHaveLength(2);
    const pages = stub.requests.map(({ path }) => path).filter((path) => path.includes('?'));
    expect(pages[1]).toBe('/v1/customer/disputes?page_size=50&next_page_token=abc%2Bd%3D&start_time=x');
    expect(pages).toHaveLength(2);
  });

  it('leaves a dispute that names no payment to its webhook, and lists the others', async () => {
    stub.reply = ({ path }) => {
      if (path.endsWith('/PP-D-1')) return { status: 200, body: dispute('PP-D-1', {}) };
      if (path.endsWith('/PP-D-2'))
        return { status: 200, body: dispute('PP-D-2', { seller_transaction_id: '2' }) };
      return { status: 200, body: { items: [dispute('PP-D-2', {}), dispute('PP-D-1', {})], links: [] } };
    };
    const listed = await listAll(stub.url);
    expect(listed.map((one) => one.dispute.reference)).toEqual(['PP-D-2']);
  });
});
