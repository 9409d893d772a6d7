import type { Page } from 'playwright-core';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, idOf } from '../catalog/offer';
import { command } from '../support/billing';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;
let integrator: Integrator;

inBrowser('an operator on call (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct', role: 'developer' }, async (started) => {
    ({ service, browser, operator } = started);
    await sellTwoPlans(operator);
    const { body } = await operator.post('/api/api-keys', { body: { name: 'test' } });
    integrator = new Integrator(service.urls.sandbox, String(body['secret']));
  });

  async function subscribe(
    planSlug: string,
  ): Promise<{ id: string; customerId: string; externalId: string }> {
    const { id: customerId, externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug },
      headers: { 'Idempotency-Key': externalId },
    });
    return { id: idOf(made), customerId, externalId };
  }

  const open = (path: string): Promise<Page> => browser.openAs(operator, path);

  test('home leads to what is past due and to what renews, and says whether the processes work', async () => {
    const late = await subscribe('small');
    await service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = created_at WHERE id = $1`,
      [late.id],
    );
    const { externalId, id } = await subscribe('large');
    await command(operator, id, 'change', { body: { planSlug: 'small' } });
    const page = await open('');
    await page.getByText('none was seen for 90 seconds').waitFor();
    await page.getByText('31 days').click();
    const due = page.getByRole('table', { name: 'What falls due' }).getByRole('row', { name: externalId });
    await due.getByText('$20.00', { exact: true }).waitFor();
    await page.getByRole('link', { name: '1 subscription is past due' }).click();
    await page
      .getByRole('table', { name: 'Subscriptions' })
      .getByRole('link', { name: late.externalId })
      .waitFor();
    expect(await page.getByText(externalId).count()).toBe(0);
    await page.goto(page.url().replace('status=past_due', 'awaiting=change&renews=month'));
    await page
      .getByRole('table', { name: 'Subscriptions' })
      .getByRole('link', { name: externalId })
      .waitFor();
    expect(await page.getByText(late.externalId).count()).toBe(0);
  });

  test('home leads to each change that could not be prepared, whatever its subscription waits for', async () => {
    const failed = await subscribe('large');
    const other = await subscribe('large');
    for (const { id } of [failed, other])
      await command(operator, id, 'change', { body: { planSlug: 'small' } });
    await service.database.query(
      `UPDATE tollgate.subscriptions SET cancel_at_period_end = true,
         metadata = '{"nextCycleSync": {"state": "failed"}}' WHERE id = $1`,
      [failed.id],
    );
    const page = await open('');
    await page.getByRole('link', { name: '1 change could not be prepared' }).click();
    const table = page.getByRole('table', { name: 'Subscriptions' });
    await table.getByRole('link', { name: failed.externalId }).waitFor();
    expect(await table.getByText(other.externalId).count()).toBe(0);
    await service.database.query(`UPDATE tollgate.subscriptions SET metadata = '{}' WHERE id = $1`, [
      failed.id,
    ]);
  });

  test('a customer’s quota shows, a check is tried, and its decision is made again with today’s numbers', async () => {
    const { customerId, externalId } = await subscribe('small');
    await integrator.track(externalId, 'ai_tokens', 999);
    const page = await open(`/customers/${customerId}`);
    const entitlements = page.getByRole('table', { name: 'Entitlements' });
    await entitlements.getByText('999 of 1,000').waitFor();
    await entitlements.getByText('allowed').waitFor();
    await page.getByLabel('Quantity').fill('2');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('status').getByText('denied').waitFor();
    // In the operator's time zone, as every other time of the page.
    const inUtc = page.getByRole('main').getByText(/\d{4}-\d\d-\d\dT\d\d:/);
    await page
      .getByRole('status')
      .getByText(/The quota resets at \w{3} \d/)
      .waitFor();
    expect(await inUtc.count()).toBe(0);
    await page.getByRole('link', { name: 'The decision' }).click();
    await page.getByText('How it was decided').waitFor();
    expect(await inUtc.count()).toBe(0);
    await page.getByText('999', { exact: true }).waitFor();
    // The customer gets a larger plan: the same check is now granted, and the old decision stays unchanged.
    const { data } = (await operator.get('/api/billing/subscriptions', { query: { externalId } })).body as {
      data: { id: string }[];
    };
    await command(operator, data[0]?.id ?? '', 'change', { body: { planSlug: 'large' } });
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('status').getByText('2 may be used now.').waitFor();
    await page.getByText('1,000', { exact: true }).waitFor();
    // What would be decided now belongs to one decision, also where the next one was shown before.
    const field = page.getByLabel('Decision, request or customer');
    const shown = await field.inputValue();
    const another = String((await integrator.check(externalId, 'ai_tokens')).body['decisionId']);
    const decision = (id: string) => page.getByRole('button', { name: `Copy ${id}` });
    for (const id of [another, shown]) {
      await field.fill(id);
      await decision(id).waitFor();
    }
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('status').getByText('2 may be used now.').waitFor();
    await field.fill(another);
    await decision(another).waitFor();
    expect(await page.getByText('2 may be used now.').count()).toBe(0);
  });

  test('the decisions of a customer before a time', async () => {
    const { externalId } = await subscribe('small');
    await integrator.check(externalId, 'ai_tokens');
    const page = await open('/decisions');
    await page.getByLabel('Decision, request or customer').fill(externalId);
    await page.getByRole('link', { name: 'Explain it' }).waitFor();
    await page.getByText('In your time zone.').waitFor();
    const before = page.getByLabel('Decided before');
    await before.fill('2020-01-01T00:00');
    await page.getByText('None is found').waitFor();
    // A colleague in another time zone who opens the address finds the same.
    expect(new URL(page.url()).searchParams.get('before')).toBe('2019-12-31T23:00:00.000Z');
    await page.reload();
    await page.getByText('None is found').waitFor();
    expect(await before.inputValue()).toBe('2020-01-01T00:00');
  });

  test('decisions are found behind many other events, and an entity’s is asked again for the entity', async () => {
    const { externalId, customerId } = await subscribe('small');
    await integrator.send('POST', '/v1/usage/check', {
      externalId,
      feature: 'ai_tokens',
      quantity: 0.000125,
      entity: 'user-7',
    });
    const message = 'Something else happened.';
    await service.database.query(
      `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT workspace_id, environment, 'evt_other' || n, 'SUBSCRIPTION_CHANGED', 'OK', $2, 'test', (data::jsonb - 'decisionId')::json,
              created_at + n * interval '1 millisecond'
         FROM tollgate.developer_events, generate_series(1, 120) AS n
        WHERE workspace_id = $1 AND data ->> 'externalId' = $3 AND data ->> 'decisionId' IS NOT NULL`,
      [operator.workspaceId, message, externalId],
    );
    const page = await open(`/decisions?id=${externalId}`);
    await page.getByRole('link', { name: 'Explain it' }).click();
    await page.getByText('user-7', { exact: true }).waitFor();
    await page.getByText('0.000125', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('status').getByText('0.000125 may be used now.').waitFor();
    const { data } = (
      await operator.get('/api/developer-events', { query: { customerId, eventType: 'USAGE_CHECKED' } })
    ).body as { data: { data: { entity?: { id: string } } }[] };
    expect(data.map((event) => event.data.entity?.id)).toEqual(['user-7', 'user-7']);
  });

  test('denials of the last days are found, also where the sandbox’s clock is months ahead', async () => {
    const other = await logIn(service, { role: 'developer' });
    await sellTwoPlans(other);
    const { externalId } = await createCustomer(other);
    const key = await other.post('/api/api-keys', { body: { name: 'test' } });
    await new Integrator(service.urls.sandbox, String(key.body['secret'])).check(externalId, 'ai_tokens');
    const to = new Date(Date.now() + 90 * DAY_MS).toISOString();
    expect((await other.post('/api/sandbox/clock', { body: { to } })).status).toBe(200);
    const page = await browser.openAs(other, '/usage');
    await page.getByText('By real time, not by the sandbox’s clock.').waitFor();
    await page.getByRole('table', { name: 'Denials' }).getByText(externalId).first().waitFor();
  });

  test('a webhook that failed is found behind many that did not', async () => {
    const other = await logIn(service, { role: 'developer' });
    const connection = await other.post('/api/provider-connections', {
      body: { provider: 'provider_a', displayName: 'A' },
    });
    await service.database.query(
      `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key,
              status, body, headers, received_at)
       SELECT $1, 'sandbox', 'whk_' || n, $2, 'provider_a', CASE n WHEN 0 THEN 'invoice.lost' ELSE 'invoice.paid' END, n::text,
              CASE n WHEN 0 THEN 'failed' ELSE 'applied' END, '', '{}', now() + n * interval '1 second'
         FROM generate_series(0, 60) AS n`,
      [other.workspaceId, idOf(connection)],
    );
    const page = await browser.openAs(other, '');
    await page.getByRole('link', { name: '1 webhook arrived and could not be applied' }).click();
    await page.getByRole('table', { name: 'Webhooks' }).getByText('invoice.lost').waitFor();
    await page.getByText('That is the only one.').waitFor();
  });

  test('a viewer sees the same and may try nothing', async () => {
    const { customerId } = await subscribe('small');
    const viewer = await logIn(service, { role: 'viewer', workspaceId: operator.workspaceId });
    const page = await browser.openAs(viewer, `/customers/${customerId}`);
    const button = page.getByRole('button', { name: 'Check', exact: true });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('This needs the role developer, and you are viewer.').first().waitFor();
  });
});
