import { createCustomer, createGroup, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, planIn, preview } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Local billing charges exactly what a preview and the timeline show, to the minor unit and the instant. */
const service = useService({ commands: 'direct' });
beforeAll(() => {
  // The clock is frozen so that a preview and its change have the same instant.
  const frozen = Date.now();
  service.clock.now = () => frozen;
});

async function moveTo(client: OperatorClient, instant: string): Promise<void> {
  const answer = await client.post('/api/sandbox/clock', {
    body: { to: instant },
    env: null,
    query: { organizationId: client.workspaceId, env: 'sandbox' },
  });
  expect(answer.status).toBe(200);
}

/** A month from the 31st, from a leap day, and across daylight-saving changes; taxes that end in halves. */
const CASES = [
  ['2099-01-31T00:00:00.000Z', '2099-02-10T11:22:33.444Z', 'UTC', 'JPY', 'exclusive', '0.5', 3],
  [
    '2096-02-29T12:00:00.000Z',
    '2096-03-28T11:59:59.999Z',
    'Europe/Berlin',
    'KWD',
    'inclusive',
    '0.19',
    10_000,
  ],
  [
    '2099-03-01T07:30:00.000Z',
    '2099-03-01T07:30:00.001Z',
    'America/New_York',
    'USD',
    'exclusive',
    '0.0825',
    1,
  ],
  ['2099-12-31T23:59:59.999Z', '2100-01-15T00:00:00.000Z', 'Australia/Lord_Howe', 'KRW', 'none', '0', 7],
] as const;

test.each(CASES)(
  'opened at %s, changed at %s in %s',
  async (start, at, timeZone, currency, behavior, rate, seats) => {
    const client = await logIn(service, { role: 'admin' });
    const taxed = { taxBehavior: behavior, taxRates: [{ name: 'VAT', rate }] };
    const set = {
      timeZone,
      defaultCurrency: currency,
      pastDueAfterDays: 200,
      expireAfterDays: 300,
      ...taxed,
    };
    expect((await client.patch('/api/billing/settings', { body: set })).status).toBe(200);
    await moveTo(client, start);
    const group = await createGroup(client);
    const small = await planIn(client, group, 'small', '1', { currency });
    const large = await planIn(client, group, 'large', '33333', { currency });
    const { externalId } = await createCustomer(client);
    const id = idOf(await subscribe(client, { externalId, planId: small, seats }));
    await moveTo(client, at);

    const { body: shown } = await preview(client, id, { planId: large });
    const { body: made } = await command(client, id, 'change', { body: { planId: large } });
    expect(made).toMatchObject({
      effective: 'immediate',
      effectiveAt: at,
      transaction: {
        currency,
        taxAmount: shown['tax'],
        total: shown['dueNow'],
        proration: {
          at: shown['effectiveAt'],
          current: { amount: shown['credit'] },
          target: { amount: shown['charge'] },
          net: shown['net'],
          policyVersion: shown['policyVersion'],
        },
      },
    });

    // The smaller plan starts at the renewal, whose amount and instant the timeline shows.
    await command(client, id, 'change', { body: { planId: small } });
    const { body: timeline } = await client.get(`/api/billing/subscriptions/${id}/timeline`);
    const upcoming = timeline['upcoming'] as { kind: string; at: string; estimate: object | null }[];
    const promised = upcoming.find(({ kind }) => kind === 'turn_period');
    await moveTo(client, promised?.at ?? '');
    await service.direct.catchUp({ workspaceId: client.workspaceId, environment: 'sandbox' }, id);
    const query = { subscriptionId: id };
    const [renewal] = dataOf(await client.get('/api/billing/transactions', { query }));
    expect(renewal).toMatchObject({ kind: 'renewal', periodStart: promised?.at, total: promised?.estimate });
  },
);
