import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

// The tests put rows into states that no recorded change explains.
const service = useService({ planted: { differences: true } });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

interface Upcoming {
  at: string;
  kind: string;
  message: string;
  estimate: { amount: string; currency: string } | null;
}

async function open(plan: object, seats = 1): Promise<{ id: string; slug: string; end: string }> {
  const planId = await createPlan(client, { pricing: 'per_seat', ...plan });
  const { externalId } = await createCustomer(client);
  const answer = await subscribe(client, { externalId, planId, seats });
  const { slug } = answer.body['plan'] as { slug: string };
  return { id: idOf(answer), slug, end: String(answer.body['currentPeriodEnd']) };
}

function timelineOf(id: string, query: Record<string, string> = {}): Promise<ConsoleAnswer> {
  return client.get(`/api/billing/subscriptions/${id}/timeline`, { query });
}

async function upcomingOf(id: string): Promise<Upcoming[]> {
  const answer = await timelineOf(id);
  expect(answer.status).toBe(200);
  return answer.body['upcoming'] as Upcoming[];
}

/** Updates the subscription's row only. */
function setRow(id: string, assignments: string, ...values: unknown[]): Promise<unknown[]> {
  return service.database.query(`UPDATE tollgate.subscriptions SET ${assignments} WHERE id = $1`, [
    id,
    ...values,
  ]);
}

const sentences = (upcoming: readonly Upcoming[]): string[] => upcoming.map(({ message }) => message);

test('a new subscription: it was created, and what follows if nothing is paid', async () => {
  const { id, slug, end } = await open({}, 5);
  const { body } = await timelineOf(id);
  expect(body).toMatchObject({ hasMore: false, data: [{ kind: 'created', data: { seats: 5 } }] });
  const [entry] = body['data'] as { id: string; at: string; message: string }[];
  expect(entry?.id).toMatch(/^hst_/);
  expect(Math.abs(Date.parse(entry?.at ?? '') - Date.now())).toBeLessThan(60_000);
  const upcoming = body['upcoming'] as Upcoming[];
  expect(upcoming).toMatchObject([
    { kind: 'become_past_due', message: 'Becomes past due if nothing is paid', estimate: null },
    {
      at: end,
      kind: 'turn_period',
      message: `Renews ${slug} × 5 for 145.00 USD`,
      estimate: { amount: '14500', currency: 'USD' },
    },
    { kind: 'expire', message: 'Expires if nothing is paid', estimate: null },
  ]);
  const times = upcoming.map(({ at }) => Date.parse(at));
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

test('a free plan renews for ever: the next twelve renewals are listed', async () => {
  const { id, slug } = await open({ price: { amount: '0', currency: 'USD' } });
  const upcoming = await upcomingOf(id);
  expect(sentences(upcoming)).toEqual(Array.from({ length: 12 }, () => `Renews ${slug} for 0.00 USD`));
  expect(new Set(upcoming.map(({ at }) => at)).size).toBe(12);
});

test('a scheduled change comes first at the renewal, which charges its price with today’s tax', async () => {
  const { id, end } = await open({}, 5);
  const starter = await createPlan(client, {
    price: { amount: '1000', currency: 'USD' },
    pricing: 'per_seat',
  });
  const { slug } = (await client.get(`/api/plans/${starter}`)).body;
  await setRow(
    id,
    'payment_due_at = NULL, scheduled_plan_id = $2, scheduled_seats = 3, scheduled_requested_at = $3',
    starter,
    new Date(),
  );
  const settings = {
    tax_behavior: 'exclusive',
    tax_rates: JSON.stringify([{ name: 'VAT', rate: '0.19' }]),
  };
  const setTax = (behavior: string, rates: string): Promise<unknown[]> =>
    service.database.query(
      "UPDATE tollgate.workspace_settings SET tax_behavior = $2, tax_rates = $3 WHERE workspace_id = $1 AND environment = 'sandbox'",
      [client.workspaceId, behavior, rates],
    );
  await setTax(settings.tax_behavior, settings.tax_rates);
  try {
    expect((await upcomingOf(id)).slice(0, 3)).toMatchObject([
      { at: end, kind: 'scheduled_change', message: `Downgrade to ${String(slug)} × 3`, estimate: null },
      {
        at: end,
        kind: 'turn_period',
        message: `Renews ${String(slug)} × 3 for 35.70 USD`,
        estimate: { amount: '3570', currency: 'USD' },
      },
      { kind: 'become_past_due', message: 'Becomes past due if nothing is paid' },
    ]);
  } finally {
    await setTax('none', '[]');
  }
});

test('a scheduled change is listed once, and there are at most twelve entries', async () => {
  const { id } = await open({ price: { amount: '0', currency: 'USD' } }, 4);
  await setRow(
    id,
    'scheduled_plan_id = plan_id, scheduled_seats = 2, scheduled_requested_at = $2',
    new Date(),
  );
  const upcoming = await upcomingOf(id);
  expect(upcoming).toHaveLength(12);
  expect(upcoming.filter(({ kind }) => kind === 'scheduled_change').map(({ message }) => message)).toEqual([
    'Decrease to 2 seats',
  ]);
});

test('a trial’s first paid period has the price that was offered, renewals that of the plan', async () => {
  const { id, slug, end } = await open({ trialDays: 14, price: { amount: '500', currency: 'KWD' } }, 2);
  await setRow(id, 'unit_amount = 400');
  const [first, , second] = await upcomingOf(id);
  expect(first).toEqual({
    at: end,
    kind: 'end_trial',
    message: `First paid period of ${slug} × 2 for 0.800 KWD`,
    estimate: { amount: '800', currency: 'KWD' },
  });
  expect(second?.message).toBe(`Renews ${slug} × 2 for 1.000 KWD`);
});

test('a trial’s first paid period becomes past due if the offered price is due, whatever the plan costs now', async () => {
  const trialOf = async (amount: string, offered: number): Promise<string[]> => {
    const { id } = await open({ trialDays: 14, price: { amount, currency: 'USD' } });
    await setRow(id, 'unit_amount = $2', offered);
    return (await upcomingOf(id)).slice(0, 3).map(({ kind }) => kind);
  };
  expect(await trialOf('0', 500)).toEqual(['end_trial', 'become_past_due', 'turn_period']);
  expect(await trialOf('500', 0)).toEqual(['end_trial', 'turn_period', 'become_past_due']);
});

test('an unpaid checkout expires', async () => {
  const { id } = await open({});
  const until = new Date(Date.now() + DAY_MS);
  await setRow(id, "status = 'incomplete', payment_due_at = NULL, incomplete_until = $2", until);
  expect(await upcomingOf(id)).toEqual([
    {
      at: until.toISOString(),
      kind: 'expire_checkout',
      message: 'The checkout expires if nothing is paid',
      estimate: null,
    },
  ]);
});

test.each(["status = 'cancelled'", "status = 'expired'"])(
  'with %s nothing is foretold',
  async (assignment) => {
    const { id } = await open({});
    await setRow(id, assignment);
    expect(await upcomingOf(id)).toEqual([]);
  },
);

test('a payment provider’s renewals are listed by our calendar and prices', async () => {
  const { id } = await open({});
  await setRow(id, "provider = 'provider_c', payment_due_at = NULL");
  const [first, ...others] = await upcomingOf(id);
  expect(first).toMatchObject({
    kind: 'read_back',
    message: expect.stringMatching(/^The payment provider renews /) as string,
  });
  expect(first?.estimate).not.toBeNull();
  expect(others).toHaveLength(11);
  await setRow(id, 'cancel_at_period_end = true');
  expect(await upcomingOf(id)).toMatchObject([{ kind: 'read_back', message: 'Ends', estimate: null }]);
});

test('while payments are suspended at the provider, the paid period ends and no renewal is announced', async () => {
  const { id, end } = await open({ price: { amount: '2900', currency: 'USD' } });
  const suspended = "provider = 'provider_b', status = 'past_due', past_due_since = current_period_end";
  await setRow(id, `${suspended}, payment_due_at = NULL, next_wake_at = current_period_end`);
  const upcoming = await upcomingOf(id);
  expect(upcoming.filter(({ kind }) => kind === 'read_back')).toEqual([
    {
      at: end,
      kind: 'read_back',
      message: 'The paid period ends; the payment provider renews it only if payments are resumed',
      estimate: null,
    },
  ]);
});

test('the history is newest first, page by page, and a cursor is one subscription’s own', async () => {
  const { id } = await open({});
  const { id: other } = await open({});
  for (const kind of ['first', 'second', 'third']) {
    await service.database.query(
      `INSERT INTO tollgate.subscription_history
         (workspace_id, environment, id, subscription_id, kind, message, data, happened_at, created_at)
       VALUES ($1, 'sandbox', $2, $3, $4, 'It happened.', '{"note":"x"}', $5, $5)`,
      [client.workspaceId, `${kind}-${id}`, id, kind, new Date()],
    );
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await timelineOf(id, { take: '3', ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...(body['data'] as { kind: string }[]).map(({ kind }) => kind));
    expect(body['upcoming']).not.toEqual([]);
    cursor = body['nextCursor'] as string | undefined;
    expect(body['hasMore']).toBe(cursor !== undefined);
    if (cursor !== undefined) {
      expect(await timelineOf(other, { cursor })).toMatchObject({
        status: 400,
        body: { code: 'cursor_invalid' },
      });
    }
  } while (cursor !== undefined);
  expect(seen).toEqual(['third', 'second', 'first', 'created']);
});

test('a viewer reads it; another workspace and the other environment find nothing', async () => {
  const { id } = await open({});
  const path = `/api/billing/subscriptions/${id}/timeline`;
  const viewer = await logIn(service, { role: 'viewer', workspaceId: client.workspaceId });
  expect((await viewer.get(path)).status).toBe(200);
  const stranger = await logIn(service, { role: 'owner' });
  for (const answer of [await stranger.get(path), await client.get(path, { env: 'production' })]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'subscription_not_found' } });
  }
});
