import { createLogger } from '../../src/telemetry/logger';
import { createRateLimitedLog } from '../../src/telemetry/rate-limited-log';
import { createCandidateRateLimit } from '../../src/webhooks/candidate-rate-limit';
import type { Candidate, Candidates } from '../../src/webhooks/candidates';
import type { WebhookDelivery } from '../../src/webhooks/delivery';
import { findSigningConnection } from '../../src/webhooks/find-signing-connection';
import { FakeProvider } from './fake-provider';

/** The signatures of large bodies, which take long to compare, and the requests that wait meanwhile. */
const LARGE = 65 * 1_024;

const candidates = ['conn_1', 'conn_2', 'conn_3'].map((id): Candidate => {
  const scope = { workspaceId: `org_${id}`, environment: 'sandbox' } as const;
  const secrets = { webhookSecret: `whsec_${id}` };
  const access = { connectionId: id, apiMode: 'sandbox', secretVersion: 1, secrets, settings: {} } as const;
  return { connection: { scope, id, provider: 'provider_a' }, access };
});
const found: Candidates = {
  named: () => Promise.resolve({ by: 'name', candidates: candidates.slice(0, 1) }),
  hinted: () => Promise.resolve({ by: 'trial', candidates }),
};

/** Counts the turns of the event loop. */
let turn = 0;
let counting: NodeJS.Immediate;
function count(): void {
  turn += 1;
  counting = setImmediate(count);
}
beforeEach(() => {
  counting = setImmediate(count);
});
afterEach(() => {
  clearImmediate(counting);
});

/** Receives such webhooks at the same moment. @returns the turn of the event loop in which each trial was made */
async function turnsOfTrials(deliveries: readonly Pick<WebhookDelivery, 'bytes' | 'connectionId'>[]) {
  const turns: number[] = [];
  const adapter = new FakeProvider();
  const { verifyWebhook } = adapter;
  adapter.verifyWebhook = (...input) => {
    turns.push(turn);
    return verifyWebhook(...input);
  };
  const now = Date.now();
  const limitedLog = createRateLimitedLog(createLogger('test', 'silent'), { now: () => now });
  const options = { candidates: found, rateLimit: createCandidateRateLimit(), limitedLog };
  const findings = await Promise.all(
    deliveries.map((delivery) => {
      const more = { environment: 'sandbox', provider: 'provider_a', ip: '192.0.2.1' } as const;
      const unsigned = { ...more, headers: {}, rawHeaders: [], requestId: 'req_test', ...delivery };
      return findSigningConnection(options, adapter, unsigned, now);
    }),
  );
  expect(findings.map(({ kind }) => kind)).toEqual(deliveries.map(() => 'refused'));
  return turns;
}

test('of several large webhooks at once, one connection is tried in each turn of the event loop', async () => {
  const bytes = Buffer.alloc(LARGE, ' ');
  const turns = await turnsOfTrials([
    { bytes, connectionId: null },
    { bytes, connectionId: 'conn_1' },
    { bytes, connectionId: null },
    { bytes, connectionId: 'conn_1' },
  ]);
  expect(turns).toHaveLength(8);
  expect(new Set(turns).size).toBe(8);
});

test('an ordinary webhook does not wait for them', async () => {
  const [large, ordinary] = [Buffer.alloc(LARGE, ' '), Buffer.alloc(8_192, ' ')];
  const turns = await turnsOfTrials([
    { bytes: large, connectionId: null },
    { bytes: ordinary, connectionId: null },
  ]);
  const [first] = turns;
  expect(turns.slice(0, 3)).toEqual([first, first, first]);
  expect(new Set(turns).size).toBe(4);
});
