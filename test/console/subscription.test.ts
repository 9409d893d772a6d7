import { createCustomer } from '../catalog/offer';
import type { OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('a subscription’s page (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct' }, async (started) => {
    ({ service, browser, operator } = started);
    await sellTwoPlans(operator);
  });

  /** Opens the page of a new customer's subscription to the smaller plan. */
  async function open() {
    const { externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    const id = String(made.body['id']);
    const page = await browser.openAs(operator, `/subscriptions/${id}`);
    await page.getByRole('heading', { name: new RegExp(`Small.* for .*${externalId}`) }).waitFor();
    return { id, page, externalId };
  }
  const show = async (id: string) => (await operator.get(`/api/billing/subscriptions/${id}`)).body;

  test('an upgrade is previewed, says what it charges, and charges that', async () => {
    const { id, page, externalId } = await open();
    await page.clock.install();
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Large.*\$50\.00\/month/ }).click();
    const button = dialog.getByRole('button', { name: /^Upgrade now, charge \$\d+\.\d\d$/ });
    await button.waitFor();
    // What was typed before, and is no number of seats, is never asked for: the browser would report its refusal.
    const seats = dialog.getByRole('textbox', { name: 'Seats' });
    await seats.fill('');
    await dialog.getByText('Fill this in.').waitFor();
    // Longer than the dialog waits before it asks for a preview of what was typed.
    await page.clock.fastForward(300);
    await seats.fill('1');
    await button.waitFor();
    const promised = /\$[\d.]+/.exec((await button.textContent()) ?? '')?.[0];
    await button.click();
    await page.getByRole('heading', { name: new RegExp(`Large.* for .*${externalId}`) }).waitFor();
    const { data } = (await operator.get('/api/billing/transactions', { query: { subscriptionId: id } }))
      .body as {
      data: { kind: string; total: { amount: string } }[];
    };
    const charged = data.find(({ kind }) => kind === 'proration')?.total.amount ?? '';
    expect(`$${(Number(charged) / 100).toFixed(2)}`).toBe(promised);
  });

  test('a preview shows how many entities each plan allows, and is shown if an earlier version omits it', async () => {
    const { page } = await open();
    let omits = false;
    await page.route(/\/change\?.*dryRun=true/, async (route) => {
      const response = await route.fetch();
      const { entityLimit, ...rest } = (await response.json()) as { entityLimit: object };
      const limit = { entityLimit: { ...entityLimit, from: null, to: 1_000 } };
      await route.fulfill({ response, json: omits ? rest : { ...rest, ...limit } });
    });
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Large.*\$50\.00\/month/ }).click();
    await dialog.getByRole('row', { name: 'Entities any number at most 1,000' }).waitFor();
    omits = true;
    await dialog.getByRole('textbox', { name: 'Seats' }).fill('2');
    await dialog.getByRole('row', { name: 'Seats 1 2' }).waitFor();
    expect(await dialog.getByRole('row', { name: 'Entities' }).count()).toBe(0);
  });

  test('a command that is still being carried out is shown after a reload too, until it has ended', async () => {
    const { id, page, externalId } = await open();
    let data: object[] = [
      {
        id: 'op_1',
        kind: 'change',
        subscriptionId: id,
        targetId: id,
        status: 'accepted',
        problem: null,
        answer: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        finishedAt: null,
      },
    ];
    await page.route('**/api/billing/operations?*', (route) =>
      route.fulfill({ json: { object: 'list', data, hasMore: false } }),
    );
    await page.reload();
    const underWay = page.getByRole('alert').filter({ hasText: 'Still being carried out: change' });
    await underWay.waitFor();
    await keepScreenshot(page, 'subscription-command-under-way');
    // The list of commands, with two ids in each row, is as wide as a sheet of A4, less its margins.
    const list = await browser.another(
      page.context(),
      new URL(page.url()).pathname.replace(/subscriptions.*/, 'commands'),
    );
    await list.route('**/api/billing/operations?*', (route) =>
      route.fulfill({
        json: { object: 'list', data: [{ ...data[0], id: id.replace('sub', 'op') }], hasMore: false },
      }),
    );
    await list.reload();
    await list.getByRole('link', { name: id }).waitFor();
    await list.emulateMedia({ media: 'print' });
    await list.setViewportSize({ width: 718, height: 1_016 });
    const right = "document.querySelector('table').getBoundingClientRect().right";
    expect(await list.evaluate<number>(right)).toBeLessThanOrEqual(718);
    await list.close();
    // What it has changed is shown once it has ended, and not only at the next refresh.
    await page.clock.install();
    await operator.post(`/api/billing/subscriptions/${id}/change`, {
      body: { planSlug: 'large' },
      headers: { 'Idempotency-Key': `${externalId}-changed` },
    });
    data = [];
    await page.clock.fastForward(2_000);
    await page.getByRole('heading', { name: new RegExp(`Large.* for .*${externalId}`) }).waitFor();
    expect(await underWay.count()).toBe(0);
  });

  test('in a narrow window, what a change charges is readable in full', async () => {
    const [group] = (await operator.get('/api/plan-groups')).body['data'] as { id: string }[];
    const price = { amount: '999999999999', currency: 'USD' };
    const plan = { planGroupId: group?.id, slug: 'huge', name: 'Huge', price, interval: 'month' };
    expect((await operator.post('/api/plans', { body: plan })).status).toBe(201);
    const { page } = await open();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Huge/ }).click();
    const button = dialog.getByRole('button', { name: /^Upgrade now, charge \$9,\d{3},\d{3},\d{3}\.\d\d$/ });
    await button.waitFor();
    const hidden = await page.evaluate<number[]>(
      "[...document.querySelectorAll('[role=dialog] .mantine-Button-label')].map((label) => label.scrollWidth - label.clientWidth)",
    );
    expect(hidden).toEqual([0, 0]);
    await keepScreenshot(page, 'change-narrow');
  });

  test.each([
    ['exclusive', 'Tax', '$3.80 of tax'],
    ['inclusive', 'Tax, included in the charge and the credit', '$3.19 of tax, included'],
  ])(
    'with %s tax, a preview and a charge say whether their amounts include it',
    async (taxBehavior, ofChange, ofCharge) => {
      const setTax = async (body: object): Promise<void> => {
        expect((await operator.patch('/api/billing/settings', { body })).status).toBe(200);
      };
      await setTax({ taxBehavior, taxRates: [{ name: 'VAT', rate: '0.19' }] });
      const { page } = await open();
      await setTax({ taxBehavior: 'none', taxRates: [] });
      await page.getByRole('button', { name: 'Change plan' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Plan' }).click();
      await page.getByRole('option', { name: /Large/ }).click();
      await dialog.getByRole('rowheader', { name: ofChange, exact: true }).waitFor();
      const charges = await browser.openAs(operator, '/payments?tab=transactions');
      await charges.getByText(ofCharge, { exact: true }).waitFor();
    },
  );

  test('a downgrade waits for the renewal, and is withdrawn', async () => {
    const { id, page } = await open();
    await operator.post(`/api/billing/subscriptions/${id}/change`, {
      body: { planSlug: 'large' },
      headers: { 'Idempotency-Key': `${id}-up` },
    });
    await page.reload();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Small.*\$20\.00\/month/ }).click();
    // Sentences from the API use UTC days; everything else is in the viewer's time zone, Berlin.
    await page.getByText('the subscription’s time zone, UTC.').waitFor();
    await page.getByRole('button', { name: /^Downgrade on .*, charge nothing now$/ }).click();
    await page.getByText('Changes at the renewal').waitFor();
    await page.getByRole('button', { name: 'Withdraw the change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw the change' });
    await dialog.getByText(/stays on .*Large.* with 1 seat\./).waitFor();
    await keepScreenshot(page, 'withdraw-change');
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await show(id)).toMatchObject({ scheduledChange: { plan: { slug: 'small' } } });
    await page.getByRole('button', { name: 'Withdraw the change' }).click();
    await dialog.getByRole('button', { name: 'Withdraw the change' }).click();
    await page.getByText('Changes at the renewal').waitFor({ state: 'detached' });
    expect(await show(id)).toMatchObject({ scheduledChange: null, plan: { slug: 'large' } });
  });

  test('cancelled at once, everything else says why it cannot be done', async () => {
    const { id, page } = await open();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel / })
      .click();
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    // The dialog stays until everything is read again, and then gives the focus back.
    await page.locator('#content :focus').waitFor();
    const { status, capabilities } = (await show(id)) as {
      status: string;
      capabilities: Record<string, { reason: string }>;
    };
    expect(status).toBe('cancelled');
    const facts = page.getByRole('region', { name: 'Subscription', exact: true });
    await facts.getByText('Cancelled', { exact: true }).waitFor();
    // The browser's zone is another one.
    await facts.getByText('UTC; times are shown in Europe/Berlin').waitFor();
    for (const [name, capability] of [
      ['Change plan', capabilities['planChange']],
      ['Change seats', capabilities['seatChange']],
    ] as const) {
      const button = page.getByRole('button', { name });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.focus();
      expect(await page.locator(':focus').textContent()).toBe(name);
      await page
        .getByText(capability?.reason ?? 'no reason')
        .first()
        .waitFor();
    }
  });

  test('two clicks on one button are one change', async () => {
    const { id, page } = await open();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Large.*\$50\.00\/month/ }).click();
    await page.getByRole('button', { name: /^Upgrade now/ }).dblclick();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { data } = (await operator.get('/api/billing/transactions', { query: { subscriptionId: id } }))
      .body as {
      data: { kind: string }[];
    };
    expect(data.filter(({ kind }) => kind === 'proration')).toHaveLength(1);
  });

  test('a change whose answer was lost is sent again under its key, and happens once', async () => {
    const { id, page } = await open();
    const keys: (string | undefined)[] = [];
    await page.route('**/change?*', async (route) => {
      const key = route.request().headers()['idempotency-key'];
      if (key === undefined) return route.continue();
      keys.push(key);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      provoke('net::ERR_FAILED');
      return route.abort();
    });
    // Keeps the page from learning by another route that the change is done.
    const params = { organizationId: operator.workspaceId, env: 'sandbox' };
    const before = await page.request.get(`${service.urls.console}/api/billing/subscriptions/${id}`, {
      params,
    });
    await page.route(`**/api/billing/subscriptions/${id}?*`, (route) => route.fulfill({ response: before }));
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Large.*\$50\.00\/month/ }).click();
    const button = page.getByRole('button', { name: /^Upgrade now/ });
    await button.click();
    await page.getByText('The service cannot be reached').waitFor();
    await button.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(keys).toEqual([keys[0], keys[0]]);
    const { data } = (await operator.get('/api/billing/transactions', { query: { subscriptionId: id } }))
      .body as { data: { kind: string }[] };
    expect(data.filter(({ kind }) => kind === 'proration')).toHaveLength(1);
  });

  test('after a dialog the focus returns to where it was', async () => {
    const { page } = await open();
    const change = page.getByRole('button', { name: 'Change plan' });
    await change.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Change plan' }).waitFor();
    // The focused element disappears with its menu: the focus moves to the content.
    await page.getByRole('button', { name: 'Advance the clock' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'By a day' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('#content:focus, #content :focus').waitFor();
  });

  test('the sandbox’s clock is advanced, and the page shows what was due', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Advance the clock' }).click();
    await page.getByRole('menuitem', { name: 'To the next step' }).click();
    await page.getByRole('dialog', { name: 'The sandbox’s clock has moved' }).waitFor();
    await page.getByRole('table', { name: 'What was due' }).waitFor();
  });
});
