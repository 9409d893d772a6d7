import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import {
  accessTo,
  CLIENT_ID,
  CLIENT_SECRET,
  startSimulatedProviderB,
  WEBHOOK_ID,
  type SimulatedProviderB,
} from './simulated-provider-b';

const adapter = createProviderB({ now: Date.now });

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB();
});
afterEach(() => b.stop());

async function checks(changes: Partial<ConnectionAccess> = {}): Promise<Record<string, [boolean, string]>> {
  const results = await adapter.testConnection(accessTo(b.url, changes));
  expect(results.map(({ check }) => check)).toEqual(['authentication', 'webhook', 'plan_references', 'mode']);
  return Object.fromEntries(results.map(({ check, ok, message }) => [check, [ok, message]]));
}

const secrets = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, webhookId: WEBHOOK_ID };

describe('the test of a connection to provider B', () => {
  it('passes every check of a connection that works', async () => {
    const results = await checks({ settings: { planReferences: { basic: 'P-BASIC', pro: 'P-PRO' } } });
    expect(Object.values(results).map(([ok]) => ok)).toEqual([true, true, true, true]);
  });

  it('checks the credentials again, even if a token is held', async () => {
    await checks();
    const results = await checks({ secrets: { ...secrets, clientSecret: 'wrong-secret' } });
    expect(results['authentication']).toEqual([false, expect.stringContaining('invalid_client')]);
    expect(Object.values(results).map(([ok]) => ok)).toEqual([false, false, false, false]);
    expect(JSON.stringify(results)).not.toContain('wrong-secret');
  });

  it('says which webhook is missing, unknown, or wants too little', async () => {
    expect((await checks({ secrets: { ...secrets, webhookId: '' } }))['webhook']).toEqual([
      false,
      expect.stringContaining('missing'),
    ]);
    expect((await checks({ secrets: { ...secrets, webhookId: 'UNKNOWN' } }))['webhook']).toEqual([
      false,
      expect.stringContaining('INVALID_RESOURCE_ID'),
    ]);
    b.account.webhooks[0] = { id: WEBHOOK_ID, url: b.url, eventTypes: ['PAYMENT.CAPTURE.COMPLETED'] };
    expect((await checks())['webhook']).toEqual([false, expect.stringContaining('PAYMENT.SALE.COMPLETED')]);
  });

  it('names the plan references that lead to no active plan', async () => {
    const [ok, message] = (
      await checks({
        settings: { planReferences: { a: 'P-BASIC', b: 'P-NONE', c: 'P-OLD', d: '../webhooks' } },
      })
    )['plan_references'] ?? [true, ''];
    expect(ok).toBe(false);
    expect(message).toContain('P-NONE');
    expect(message).toContain('P-OLD: is INACTIVE');
    expect(message).toContain('../webhooks');
    expect(message).not.toContain('P-BASIC');
  });

  it('makes no call without credentials', async () => {
    const results = await checks({
      baseUrl: 'http://127.0.0.1:1',
      secrets: { webhookSecret: 'legacy-only' },
    });
    expect(results['authentication']).toEqual([false, expect.stringContaining('missing')]);
  });
});
