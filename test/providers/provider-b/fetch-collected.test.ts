import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { accessTo } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });

let stub: StubProviderB;
beforeEach(async () => {
  stub = await startStubProviderB();
});
afterEach(() => stub.stop());

describe('a line of the report', () => {
  it.each(['capture', 'payment', 'refund'] as const)(
    'that is a %s of another app of the merchant is refused: what B will never show is not waited for',
    async (kind) => {
      stub.reply = () => ({
        status: 403,
        body: { name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] },
      });
      const line = { kind, reference: '1AB23456CD789012E' };
      expect(await adapter.fetchCollected?.(accessTo(stub.url), line)).toMatchObject({
        kind: 'declined',
        code: 'not_permitted',
      });
    },
  );

  it('of which B says nothing is unknown', async () => {
    stub.reply = () => ({ status: 503, body: {} });
    const line = { kind: 'refund', reference: '1AB23456CD789012E' } as const;
    expect(await adapter.fetchCollected?.(accessTo(stub.url), line)).toMatchObject({ kind: 'unknown' });
  });

  it.each(['capture', 'refund'] as const)(
    'that is a %s is not taken for a sale’s because of a proxy’s 404',
    async (kind) => {
      stub.reply = ({ path }) =>
        path.startsWith('/v2/')
          ? { status: 404, body: '<html>Not found by the gateway</html>' }
          : { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
      const line = { kind, reference: '1AB23456CD789012E' };
      expect(await adapter.fetchCollected?.(accessTo(stub.url), line)).toMatchObject({ kind: 'unknown' });
      if (kind === 'refund') {
        expect(await adapter.fetchRefund(accessTo(stub.url), line.reference)).toMatchObject({
          kind: 'unknown',
        });
      }
    },
  );
});
