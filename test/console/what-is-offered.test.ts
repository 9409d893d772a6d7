import type { Page } from 'playwright-core';
import {
  createCustomer,
  createFeature,
  createGroup,
  createPlan,
  idOf,
  planBody,
  subscribe,
} from '../catalog/offer';
import { command } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

/** What a page offers: only actions that the API would perform, labeled with what the API says about them. */
let service: TestService;
let browser: ConsoleBrowser;
let owner: OperatorClient;

inBrowser('what is offered (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct' }, (started) => {
    ({ service, browser, operator: owner } = started);
  });

  const open = (path: string): Promise<Page> => browser.openAs(owner, path);

  /** Replaces every response to a path with a changed one. */
  async function answering(page: Page, path: RegExp, change: (body: Record<string, unknown>) => object) {
    await page.route(path, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: change((await answer.json()) as Record<string, unknown>),
      });
    });
    await page.reload();
  }

  test('a plan of an archived group is not said to be on sale, and is no choice', async () => {
    const group = await createGroup(owner);
    const id = idOf(await owner.post('/api/plans', { body: planBody(group, { name: 'Withdrawn' }) }));
    await createPlan(owner, { name: 'Offered', pricing: 'per_seat' });
    await owner.post(`/api/plan-groups/${group}/archive`);
    const page = await open('/catalogue');
    const row = page.getByRole('table', { name: 'Plans' }).getByRole('row', { name: 'Withdrawn' });
    await row.getByText('not on sale: its group is archived').waitFor();
    await keepScreenshot(page, 'offered-archived-group');
    await page.goto(page.url() + `/plans/${id}`);
    await page.getByText('not on sale: its group is archived').waitFor();
    await page.goto(page.url().replace(/catalogue.*/, 'subscriptions'));
    await page.getByRole('button', { name: 'New subscription' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Offered.*\$29\.00\/month a seat/ }).waitFor();
    expect(await page.getByRole('option', { name: /Withdrawn/ }).count()).toBe(0);
  });

  test('only owners are offered what only owners may do, and the only owner cannot leave', async () => {
    const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    await owner.post(`/api/organizations/${owner.workspaceId}/members`, {
      env: null,
      body: { email: 'another-owner@example.test', role: 'owner' },
    });
    const page = await browser.openAs(admin, '/members');
    const rowOf = (of: Page, email: string) =>
      of.getByRole('table', { name: 'Members' }).getByRole('row', { name: email });
    await rowOf(page, owner.email).getByText('owner', { exact: true }).waitFor();
    expect(await rowOf(page, owner.email).getByRole('button').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Role', exact: true }).click();
    await page.getByRole('option', { name: 'admin' }).waitFor();
    expect(await page.getByRole('option', { name: 'owner' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const invitation = page.getByRole('row', { name: 'another-owner@example.test' });
    await invitation.waitFor();
    expect(await invitation.getByRole('button').count()).toBe(0);
    await keepScreenshot(page, 'offered-members-admin');

    const own = await open('/members');
    await rowOf(own, owner.email).getByText('the only owner').waitFor();
    expect(await own.getByRole('button', { name: 'Leave' }).count()).toBe(0);
    await own.getByRole('combobox', { name: `Role of ${admin.email}` }).click();
    await own.getByRole('option', { name: 'owner' }).click();
    await own.getByRole('button', { name: 'Leave' }).waitFor();

    // Who gives up a role is no longer offered what it allowed.
    await page.reload();
    await page.getByRole('combobox', { name: `Role of ${admin.email}` }).click();
    await page.getByRole('option', { name: 'viewer' }).click();
    // Only others can give the role back.
    const question = page.getByRole('dialog', { name: 'Change your own role to viewer' });
    await question.getByRole('button', { name: 'Stay owner' }).click();
    await question.waitFor({ state: 'detached' });
    const role = page.getByRole('combobox', { name: `Role of ${admin.email}` });
    expect(await role.inputValue()).toBe('owner');
    await role.click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await question.getByRole('button', { name: 'Become viewer' }).click();
    await page.getByText('This needs the role admin, and you are viewer.').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Email address' }).isEnabled()).toBe(false);
  });

  test('an operator who may not save a form cannot type into it', async () => {
    const viewer = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
    const page = await browser.openAs(viewer, '/settings');
    await page.getByRole('button', { name: 'Save settings' }).waitFor();
    const isTaken = async (of: Page, label: string) =>
      of.getByLabel(label, { exact: true }).first().isEnabled();
    for (const label of ['Time zone', 'Grace, days', 'Name']) expect(await isTaken(page, label)).toBe(false);
    expect(await page.getByRole('button', { name: 'Choose' }).isEnabled()).toBe(false);
    await page.getByText('This needs the role admin, and you are viewer.').first().waitFor();
    await keepScreenshot(page, 'offered-settings-viewer');
    await page.goto(page.url().replace('settings', 'members'));
    await page.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Email address' }).isEnabled()).toBe(false);
    const own = await open('/settings');
    await own.getByRole('button', { name: 'Save settings' }).waitFor();
    expect(await isTaken(own, 'Time zone')).toBe(true);
  });

  test('a key that has ended is not rolled, and what was typed to revoke one is not there again', async () => {
    await owner.post('/api/api-keys', { body: { name: 'ended' } });
    await owner.post('/api/api-keys', { body: { name: 'in  use ' } });
    await service.database.query(
      "UPDATE tollgate.api_keys SET expires_at = created_at + interval '1 millisecond' WHERE name = 'ended'",
    );
    const page = await open('/developer/api-keys');
    const rowOf = (name: string) => page.getByRole('table', { name: 'API keys' }).getByRole('row', { name });
    await rowOf('in use').getByRole('button', { name: 'Roll' }).waitFor();
    expect(await rowOf('ended').getByRole('button', { name: 'Roll' }).count()).toBe(0);
    await rowOf('ended').getByText('expired').waitFor();
    for (const _ of ['first', 'second']) {
      await rowOf('in use').getByRole('button', { name: 'Revoke' }).click();
      const field = page.getByRole('dialog').getByLabel(/^Type .* to confirm$/);
      expect(await field.inputValue()).toBe('');
      await field.fill('in use');
      expect(await page.getByRole('button', { name: 'Revoke the key' }).isEnabled()).toBe(true);
      await page.getByRole('button', { name: 'Leave it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  test('every grant of credits is seen, and an erased customer is granted none', async () => {
    const { id } = await createCustomer(owner);
    for (let amount = 1; amount <= 12; amount += 1)
      idOf(
        await owner.post(`/api/customers/${id}/credits`, {
          body: { amount, reason: `grant ${amount}` },
          headers: { 'Idempotency-Key': `${id}-${amount}` },
        }),
      );
    const page = await open(`/customers/${id}`);
    await page.getByText('78', { exact: true }).waitFor();
    const grants = page.getByRole('table', { name: 'Grants of credits' });
    await grants.getByText('grant 12', { exact: true }).waitFor();
    expect(await grants.getByText('grant 1', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Older' }).click();
    await grants.getByText('grant 1', { exact: true }).waitFor();
    await keepScreenshot(page, 'offered-credits');
    await owner.delete(`/api/customers/${id}`);
    await page.reload();
    await page.getByText('The customer was erased.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Grant credits' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await grants.waitFor();
    expect(await grants.getByRole('button').count()).toBe(0);
  });

  async function subscription(): Promise<string> {
    const { externalId } = await createCustomer(owner);
    return idOf(await subscribe(owner, { externalId, planId: await createPlan(owner) }));
  }

  test('a past-due subscription’s access is said by the days of grace', async () => {
    const id = await subscription();
    await owner.patch('/api/billing/settings', { body: { graceDays: 3, expireAfterDays: 30 } });
    const since = (days: number): Promise<unknown> =>
      service.database.query(
        `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = now() - $2 * interval '1 day' WHERE id = $1`,
        [id, days],
      );
    await since(1);
    const page = await open(`/subscriptions/${id}`);
    await page.getByText(/Access is given until .* and denied then unless it is paid\./).waitFor();
    expect(await page.getByText('Access is denied').count()).toBe(0);
    await keepScreenshot(page, 'offered-grace');
    // The subscription expires before its period ends, so what falls due after that is marked as overtaken.
    await since(29);
    const home = await open('');
    await home.getByText('31 days').click();
    const { body } = await owner.get(`/api/billing/subscriptions/${id}`);
    const due = home.getByRole('table', { name: 'What falls due' });
    await due
      .getByRole('row', { name: String(body['externalId']) })
      .getByText('something else comes first')
      .waitFor();
    await since(4);
    await page.reload();
    await page.getByText('Access is denied until it is paid.').waitFor();
    expect(await page.getByText('Unpaid since').count()).toBe(1);
    // Provider B's payments were suspended in a period that is paid.
    await service.database.query(
      `UPDATE tollgate.subscriptions SET past_due_since = current_period_end WHERE id = $1`,
      [id],
    );
    await page.reload();
    await page.getByText(/Payments are suspended at the payment provider\. It is paid until/).waitFor();
    await page.getByText(/Access is given until .* and denied then unless it is paid\./).waitFor();
    expect(await page.getByText('Unpaid since').count()).toBe(0);
    // Provider B begins the next period only once it is paid.
    await service.database.query(
      `UPDATE tollgate.subscriptions
          SET past_due_since = current_period_start + interval '1 second',
              current_period_end = current_period_start + interval '1 second'
        WHERE id = $1`,
      [id],
    );
    await page.reload();
    await page.getByText('Unpaid since').waitFor();
    expect(await page.getByText('Payments are suspended').count()).toBe(0);
    await service.database.query(`UPDATE tollgate.subscriptions SET current_period_end = $2 WHERE id = $1`, [
      id,
      body['currentPeriodEnd'],
    ]);
    await since(4);
    // Simulates a provider that cancels only at the period's end: no access is kept until then.
    await page.route(`**/api/billing/subscriptions/${id}?*`, async (route) => {
      const response = await route.fetch();
      const read = (await response.json()) as { capabilities: { cancel: object } };
      Object.assign(read.capabilities.cancel, { timing: 'period_end' });
      await route.fulfill({ response, json: read });
    });
    await page.reload();
    await page.getByText('At the end of the period').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel at the end of the period' });
    await dialog.getByText('Access is denied until it is paid.').waitFor();
    expect(await dialog.getByText(/ keeps .* until /).count()).toBe(0);
  });

  test('a further try and a withdrawal are offered where the API would do them, and a withdrawal beside its own change', async () => {
    const page = await open(`/subscriptions/${await subscription()}`);
    const plan = { id: 'plan_x', slug: 'large' };
    const at = '2030-01-01T00:00:00.000Z';
    const scheduledChange = { plan, seats: 1, effectiveAt: at, requestedAt: at };
    const pendingApproval = { plan, seats: 2, approvalUrl: null, requestedAt: at, expiresAt: at };
    const withdraw = { change: 'approval', available: true, reason: null, reasonCode: null };
    const show = (members: object) =>
      answering(page, /\/api\/billing\/subscriptions\/[^/]+\?/, (body) => ({ ...body, ...members }));
    const [beside, retry] = [
      (title: string) =>
        page.getByRole('alert', { name: title }).getByRole('button', { name: 'Withdraw the change' }),
      page.getByRole('button', { name: 'Retry now' }),
    ];
    await show({ scheduledChange, pendingApproval, waitingCommands: { withdraw, retry: false } });
    await beside('Waits for the customer’s approval').waitFor();
    expect(await beside('Changes at the renewal').count()).toBe(0);
    expect(await retry.count()).toBe(0);
    await show({
      pendingApproval,
      waitingCommands: {
        withdraw: { ...withdraw, available: false, reason: 'Not confirmed yet.' },
        retry: true,
      },
    });
    await page.getByText('Not confirmed yet.').waitFor();
    expect(await beside('Waits for the customer’s approval').getAttribute('aria-disabled')).toBe('true');
    expect(await retry.count()).toBe(1);
    await keepScreenshot(page, 'offered-waits');
  });

  test('a refused command is found from its subscription', async () => {
    const [id, other] = [await subscription(), await subscription()];
    for (const each of [id, other])
      expect((await command(owner, each, 'reactivate')).body).toMatchObject({
        code: 'capability_unsupported',
      });
    const page = await open(`/subscriptions/${id}`);
    await page.getByRole('link', { name: 'why any was refused' }).click();
    const table = page.getByRole('table', { name: 'Commands' });
    const [row, rest] = [table.getByRole('row', { name: id }), table.getByRole('row', { name: other })];
    await row.getByText('refused').waitFor();
    await row.getByText('not supported').or(row.getByText('new subscription')).first().waitFor();
    expect(await rest.count()).toBe(0);
    await keepScreenshot(page, 'offered-refused-command');
    await page.getByRole('button', { name: 'Show all' }).click();
    await rest.waitFor();
  });

  test('a payment shows its own state next to its dispute’s, and a settlement its unexplained part', async () => {
    const page = await open('/payments');
    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const at = '2026-01-01T00:00:00.000Z';
    const dispute = {
      id: 'dsp_1',
      status: 'won',
      amount: usd('700'),
      reason: null,
      openedAt: at,
      decidedAt: at,
    };
    const payment = {
      id: 'pay_1',
      status: 'succeeded',
      provider: 'provider_a',
      customerId: 'cus_1',
      externalId: 'acme',
      amount: usd('2000'),
      refundedAmount: usd('0'),
      refundableAmount: usd('2000'),
      receivedAt: at,
      dispute,
    };
    const listing = (item: object) => () => ({ data: [item], hasMore: false });
    await answering(page, /\/api\/billing\/payments\?/, listing(payment));
    const row = page.getByRole('table', { name: 'Payments' }).getByRole('row', { name: 'acme' });
    await row.getByText('succeeded').waitFor();
    await row.getByText('dispute over $7.00: won').waitFor();
    const settlement = {
      id: 'stl_1',
      status: 'failed',
      provider: 'provider_a',
      periodStart: at,
      periodEnd: at,
      difference: '$3.00 is not explained.',
      paid: usd('1'),
      refunded: usd('1'),
      fees: usd('1'),
      net: usd('1'),
    };
    await page.goto(page.url() + '?tab=settlements');
    await answering(page, /\/api\/billing\/settlements\?/, listing(settlement));
    await page.getByText('$3.00 is not explained.').waitFor();
    await page.getByRole('table', { name: 'Settlements' }).getByText('failed').waitFor();
    await keepScreenshot(page, 'offered-settlements');
  });

  test('a webhook whose content was erased is not replayed', async () => {
    const connection = idOf(
      await owner.post('/api/provider-connections', { body: { provider: 'provider_a', displayName: 'A' } }),
    );
    await service.database.query(
      `INSERT INTO tollgate.webhook_events (workspace_id, environment, id, connection_id, provider, event_type, dedupe_key,
              status, body, headers, received_at, erased_at)
       SELECT $1, 'sandbox', 'whk_' || kind, $2, 'provider_a', kind, kind, 'failed', '', '{}', now(),
              CASE kind WHEN 'erased' THEN now() END
         FROM unnest(ARRAY['erased', 'kept']) AS kind`,
      [owner.workspaceId, connection],
    );
    const page = await open('/webhooks');
    const rowOf = (event: string) => page.getByRole('row', { name: event });
    await rowOf('kept').getByRole('button', { name: 'Replay' }).waitFor();
    await rowOf('erased').getByText('erased with its customer').waitFor();
    expect(await rowOf('erased').getByRole('button').count()).toBe(0);
  });

  test('an archived feature stays where it is included, and is added nowhere', async () => {
    const group = await createGroup(owner);
    const make = async (name: string) =>
      idOf(await owner.post('/api/plans', { body: planBody(group, { name }) }));
    const withIt = await make('With');
    await make('Without');
    const featureKey = await createFeature(owner);
    await owner.post(`/api/plans/${withIt}/entitlements`, { body: { featureKey, quota: 5 } });
    const { data } = (await owner.get('/api/features', { query: { search: featureKey } })).body as {
      data: { id: string }[];
    };
    await owner.post(`/api/features/${data[0]?.id ?? ''}/archive`);
    const page = await open(`/catalogue/grid?group=${group}`);
    await page.getByRole('button', { name: /in .*With.*: 5 a/ }).waitFor();
    await page.getByRole('cell', { name: 'not included' }).waitFor();
    expect(await page.getByRole('button', { name: /in .*Without/ }).count()).toBe(0);
    await keepScreenshot(page, 'offered-grid');
  });

  test('a change of a plan counts the subscriptions that are in use, behind any number that have ended', async () => {
    const planId = await createPlan(owner);
    const { externalId } = await createCustomer(owner);
    const used = idOf(await subscribe(owner, { externalId, planId }));
    await service.database.query(
      `INSERT INTO tollgate.subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', s.id || 'z' || n, 'status', 'expired', 'payment_due_at', NULL))).*
         FROM tollgate.subscriptions AS s, generate_series(1, 201) AS n WHERE s.id = $1`,
      [used],
    );
    const page = await open(`/catalogue/plans/${planId}`);
    await page.getByRole('button', { name: 'Edit plan' }).click();
    await page.getByText('1 active subscription uses this.').waitFor();
  });

  test('the most jobs that are counted are said to be that many or more', async () => {
    const page = await open('');
    await answering(page, /\/api\/overview\?/, (body) => ({
      ...body,
      processes: { ...(body['processes'] as object), relay: 'behind', outbox: 1_000 },
    }));
    await page.getByText('behind: 1,000 or more jobs wait').waitFor();
  });
});
