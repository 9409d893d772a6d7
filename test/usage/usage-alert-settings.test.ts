import { randomUUID } from 'node:crypto';
import { notifiedOf } from '../support/usage-alerts';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

const TOKENS = 'ai_tokens';
const settings = '/api/billing/settings';

describe('what is notified', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;
  let admin: OperatorClient;

  beforeAll(async () => {
    const { workspaceId, sandbox } = usage.workspace;
    admin = await logIn(usage.service, { role: 'admin', workspaceId });
    const key = await createKey(usage.service.database, sandbox, ['usage', 'customers']);
    api = new Integrator(usage.service.urls.sandbox, key);
  });

  const track = (externalId: string, quantity: number) =>
    api.track(externalId, TOKENS, quantity, randomUUID());
  const notified = (customerId: string): Promise<string[]> => notifiedOf(usage.service.database, customerId);
  const entitlementOf = async (subscriptionId: string): Promise<string> => {
    const [row] = await usage.service.database.query<{ path: string }>(
      `SELECT '/api/plans/' || e.plan_id || '/entitlements/' || e.id AS path
         FROM tollgate.subscriptions s JOIN tollgate.plan_entitlements e ON e.plan_id = s.plan_id WHERE s.id = $1`,
      [subscriptionId],
    );
    return row?.path ?? '';
  };

  test('the workspace says, then the entitlement, then the customer', async () => {
    expect((await admin.get(settings)).body).toMatchObject({
      usageAlertPercents: [80, 100],
      creditsLowPercent: 20,
    });
    const set = await admin.patch(settings, { body: { usageAlertPercents: [50, 90] } });
    expect(set.body).toMatchObject({ usageAlertPercents: [50, 90] });
    const plain = await usage.subscribed({}, { feature: TOKENS, quota: 100 });
    await track(plain.externalId, 50);
    expect(await notified(plain.customerId)).toEqual(['50 of 100']);

    const entitlement = await entitlementOf(plain.subscriptionId);
    const patched = await admin.patch(entitlement, { body: { alertPercents: [60] } });
    expect(patched).toMatchObject({ status: 200, body: { alertPercents: [60], quota: 100 } });
    await track(plain.externalId, 45);
    expect(await notified(plain.customerId)).toEqual(['50 of 100', '60 of 100']);

    const put = await api.send('PUT', `/v1/customers/${plain.externalId}`, { usageAlertPercents: [96, 98] });
    expect(put.body).toMatchObject({ usageAlertPercents: [96, 98] });
    // Omitted members keep their values.
    await api.send('PUT', `/v1/customers/${plain.externalId}`, { name: 'Acme' });
    await track(plain.externalId, 1);
    expect(await notified(plain.customerId)).toEqual(['50 of 100', '60 of 100', '96 of 100']);
    const read = await api.send('GET', `/v1/customers/${plain.externalId}`);
    expect(read.body).toMatchObject({ usageAlertPercents: [96, 98], name: 'Acme' });
    const cleared = await admin.patch(`/api/customers/${plain.customerId}`, {
      body: { usageAlertPercents: null },
    });
    expect(cleared).toMatchObject({ status: 200, body: { usageAlertPercents: null } });
    const kept = await admin.patch(entitlement, { body: { perSeat: false } });
    expect(kept.body).toMatchObject({ alertPercents: [60] });
    await admin.patch(settings, { body: { usageAlertPercents: [80, 100] } });
  });

  test('an empty list is none, at each of the three', async () => {
    const one = await usage.subscribed({}, { feature: TOKENS, quota: 10, alertPercents: [] });
    await track(one.externalId, 10);
    const two = await usage.subscribed({}, { feature: TOKENS, quota: 10, alertPercents: [50] });
    await api.send('PUT', `/v1/customers/${two.externalId}`, { usageAlertPercents: [] });
    await track(two.externalId, 10);
    await admin.patch(settings, { body: { usageAlertPercents: [] } });
    const three = await usage.subscribed({}, { feature: TOKENS, quota: 10 });
    await track(three.externalId, 10);
    await admin.patch(settings, { body: { usageAlertPercents: [80, 100] } });
    for (const { customerId } of [one, two, three]) expect(await notified(customerId)).toEqual([]);
  });

  test('PUT of the settings and new entitlements have defaults', async () => {
    const stored = (await admin.get(settings)).body;
    const changed = ['updatedAt', 'usageAlertPercents', 'creditsLowPercent'];
    const rest = Object.fromEntries(Object.entries(stored).filter(([name]) => !changed.includes(name)));
    await admin.patch(settings, { body: { usageAlertPercents: [1], creditsLowPercent: null } });
    expect((await admin.put(settings, { body: rest })).body).toMatchObject({
      usageAlertPercents: [80, 100],
      creditsLowPercent: 20,
    });
    const { planId } = await usage.seed.plan('alerts-console', []);
    await usage.seed.feature('seats_used', 'boolean');
    await usage.seed.feature('exports');
    const create = (body: object) => admin.post(`/api/plans/${planId}/entitlements`, { body });
    expect(await create({ featureKey: 'exports', quota: 5 })).toMatchObject({
      status: 201,
      body: { alertPercents: null },
    });
    expect(await create({ featureKey: 'seats_used', alertPercents: [80] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/alertPercents' }] },
    });
  });

  test.each([[[0]], [[1_001]], [[80, 80]], [[1.5]], [Array.from({ length: 11 }, (_, n) => n + 1)], ['80']])(
    'percents %j are refused',
    async (percents) => {
      const refused = await admin.patch(settings, { body: { usageAlertPercents: percents } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      const customer = await api.send('PUT', '/v1/customers/acct_refused', { usageAlertPercents: percents });
      expect(customer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    },
  );

  test.each([[0], [100], [2.5]])('credits that are low at %s %% are refused', async (percent) => {
    const refused = await admin.patch(settings, { body: { creditsLowPercent: percent } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});
