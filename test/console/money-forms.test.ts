import { errorCatalogue } from '../../src/domain/errors';
import { createCustomer, idOf } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { enrol } from '../support/second-factor';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('payments, refunds and credits by hand (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct', role: 'admin' }, async (started) => {
    ({ service, browser, operator } = started);
    await sellTwoPlans(operator);
  });
  afterEach(() => {
    service.clock.ahead = 0;
  });

  const listOf = async (path: string, query: Record<string, string>) =>
    (await operator.get(path, { query })).body['data'] as Record<string, unknown>[];
  /** Subscribes a new customer to a plan for $20.00. */
  const subscribe = async () => {
    const { id, externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    return { customerId: id, externalId, subscriptionId: idOf(made) };
  };
  /** Does the same, and records the payment. */
  const subscribePaid = async () => {
    const subscribed = await subscribe();
    const { externalId, subscriptionId } = subscribed;
    const [transaction] = await listOf('/api/billing/transactions', { subscriptionId });
    const transactionId = String(transaction?.['id']);
    const payment = await operator.post('/api/billing/payments', {
      body: { transactionId, amount: { amount: '2000', currency: 'USD' } },
      headers: { 'Idempotency-Key': `${externalId}-paid` },
    });
    return { ...subscribed, transactionId, paymentId: idOf(payment) };
  };

  test('a payment is recorded for what is open, and part of it refunded', async () => {
    const { subscriptionId } = await subscribe();
    const page = await browser.openAs(operator, '/payments?tab=transactions');
    await page.getByRole('button', { name: /^Record payment/ }).click();
    await page.getByText('$20.00 is open.').waitFor();
    await page.getByLabel('Amount, USD').fill('20.005');
    await page.getByRole('button', { name: 'Record the payment' }).click();
    await page.getByText('USD has 2 digits after the point.').waitFor();
    await page.getByLabel('Amount, USD').fill('0');
    await page.getByRole('button', { name: 'Record $0.00' }).click();
    await page.getByText('Enter more than nothing.').waitFor();
    await page.getByLabel('Amount, USD').fill('20');
    await page.getByLabel('Reference').fill('transfer 1');
    await page.getByRole('button', { name: 'Record $20.00' }).click();
    await page.getByText('paid', { exact: true }).waitFor();
    expect(await listOf('/api/billing/payments', { subscriptionId })).toMatchObject([
      { amount: { amount: '2000', currency: 'USD' }, reference: 'transfer 1' },
    ]);

    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByRole('button', { name: /^Refund of/ }).click();
    await page.getByText('$20.00 can be refunded.').waitFor();
    await page.getByLabel('Amount, USD').fill('20.01');
    await page.getByRole('button', { name: 'Refund $20.01' }).click();
    await page.getByText('No more than $20.00 is left.').waitFor();
    await page.getByLabel('Amount, USD').fill('7.5');
    await page.getByRole('button', { name: 'Refund $7.50' }).click();
    await page.getByRole('cell', { name: '$7.50' }).waitFor();
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toMatchObject([
      { amount: { amount: '750', currency: 'USD' }, status: 'succeeded' },
    ]);
    // While one waits for its provider, the list follows.
    await page.route(
      '**/api/billing/refunds?*',
      async (route) => {
        const response = await route.fetch();
        const { data, ...page } = (await response.json()) as { data: object[] };
        const waiting = data.map((refund) => ({ ...refund, status: 'pending' }));
        await route.fulfill({ response, json: { ...page, data: waiting } });
      },
      { times: 1 },
    );
    await page.getByRole('tab', { name: 'Refunds' }).click();
    await page.getByRole('table').getByText('pending', { exact: true }).waitFor();
    await page.getByRole('table').getByText('succeeded', { exact: true }).waitFor();
  });

  test('the payments of one customer are found from its page, and its other money with them', async () => {
    const other = await subscribePaid();
    const { customerId, externalId, paymentId, transactionId } = await subscribePaid();
    const page = await browser.openAs(operator, `/customers/${customerId}`);
    await page.getByRole('link', { name: 'Payments and refunds' }).click();
    await page.getByText(paymentId).waitFor();
    expect(await page.getByText(other.paymentId).count()).toBe(0);
    await page.getByRole('tab', { name: 'Transactions' }).click();
    await page.getByText(transactionId).waitFor();
    expect(await page.getByText(other.transactionId).count()).toBe(0);
    for (const tab of ['Refunds', 'Checkouts']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText('None is like this').waitFor();
    }
    await page.reload();
    const filter = page.getByRole('textbox', { name: 'External id of the customer' });
    expect(await filter.inputValue()).toBe(externalId);
    await keepScreenshot(page, 'payments-of-a-customer');
    await page.getByRole('tab', { name: 'Payments' }).click();
    await filter.fill('');
    await page.getByText(other.paymentId).waitFor();
  });

  test('the payments of a customer are found by an id in quotes, too', async () => {
    const { id, externalId } = await createCustomer(operator, '"quoted"');
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('link', { name: 'Payments and refunds' }).click();
    const filter = page.getByRole('textbox', { name: 'External id of the customer' });
    expect(await filter.inputValue()).toBe(externalId);
  });

  test('a payment that another operator has just recorded is not recorded again without a warning', async () => {
    const { externalId, subscriptionId } = await subscribe();
    const [transaction] = await listOf('/api/billing/transactions', { subscriptionId });
    const transactionId = String(transaction?.['id']);
    const page = await browser.openAs(operator, '/payments?tab=transactions');
    const record = page.getByRole('button', { name: `Record payment for ${transactionId}` });
    await record.waitFor();
    // A sheet of A4, less its margins, has the whole id.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1_016 });
    const printed = `[...document.querySelectorAll('code')].find((code) => code.textContent === '${transactionId}')`;
    const right = await page.evaluate<number>(`${printed}.getBoundingClientRect().right`);
    expect(right).toBeLessThanOrEqual(718);
    expect(await page.evaluate(`${printed}.scrollWidth - ${printed}.clientWidth`)).toBe(0);
    await page.emulateMedia({ media: null });
    await record.click();
    const dialog = page.getByRole('dialog', { name: 'Record a payment' });
    await dialog.getByText('$20.00 is open.').waitFor();
    const paid = { amount: '2000', currency: 'USD' };
    await operator.post('/api/billing/payments', {
      body: { transactionId, amount: paid },
      headers: { 'Idempotency-Key': `${externalId}-paid` },
    });
    await dialog.getByRole('button', { name: 'Record $20.00' }).click();
    await dialog.getByText('Something else is open now').waitFor();
    await dialog.getByText('$0.00 is open. What is paid').waitFor();
    expect(await listOf('/api/billing/payments', { subscriptionId })).toHaveLength(1);
  });

  test('transactions, payments and refunds are found by their ids', async () => {
    const ids: Record<'transactions' | 'payments' | 'refunds', string>[] = [];
    for (const _ of [1, 2]) {
      const { externalId, transactionId, paymentId } = await subscribePaid();
      const refund = await operator.post('/api/billing/refunds', {
        body: { paymentId, amount: { amount: '2000', currency: 'USD' } },
        headers: { 'Idempotency-Key': `${externalId}-refunded` },
      });
      ids.push({ transactions: transactionId, payments: paymentId, refunds: idOf(refund) });
    }
    const [first] = ids;
    const page = await browser.openAs(operator, '/customers');
    for (const [tab, id] of Object.entries(first ?? {})) {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search', exact: true }).fill(id);
      await page.getByText(`Open ${id}`).click();
      await page.waitForURL((url) => url.searchParams.get('tab') === tab);
      await page.getByText(`Only ${id}.`).waitFor();
      await page.getByText('That is the only one.').waitFor();
      expect(await page.getByRole('table').getByText(id).count()).toBe(1);
    }
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText(/^These are all|^Older/).waitFor();
    provoke('pay_gone');
    const missing = await browser.openAs(operator, '/payments?tab=payments&id=pay_gone');
    await missing.getByText('There is no payment "pay_gone"').waitFor();
  });

  test('a refund is not sent without a warning if another operator has just made one', async () => {
    const { externalId, subscriptionId, paymentId } = await subscribePaid();
    const page = await browser.openAs(operator, '/payments');
    await page.getByRole('button', { name: `Refund of ${paymentId}` }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(externalId) });
    await dialog.getByText('$20.00 can be refunded.').waitFor();
    await dialog.getByLabel('Amount, USD').fill('5');
    await operator.post('/api/billing/refunds', {
      body: { paymentId, amount: { amount: '500', currency: 'USD' } },
      headers: { 'Idempotency-Key': `${externalId}-refunded` },
    });
    const refund = dialog.getByRole('button', { name: 'Refund $5.00' });
    await refund.click();
    await dialog.getByText('Something else can be refunded now').waitFor();
    await dialog.getByText('$15.00 can be refunded.').waitFor();
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toHaveLength(1);
    // This time a second refund is intended: it is sent, and a lost response does not cause a third.
    provoke('net::ERR_FAILED');
    await page.route('**/api/billing/refunds?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await refund.click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/api/billing/refunds?*');
    await refund.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toHaveLength(2);
    // A connection that fails while an accepted refund is awaited is no refusal: it is asked for again.
    const operation = { id: 'op_1', finishedAt: null as string | null, problem: null, answer: null };
    await page.route('**/api/billing/refunds?*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 202, json: operation })
        : route.continue(),
    );
    let asked = 0;
    await page.route('**/api/billing/operations/**', (route) => {
      asked += 1;
      if (asked === 1) return route.abort();
      return route.fulfill({ json: { ...operation, finishedAt: '2026-01-01T00:00:00.000Z' } });
    });
    await page.getByRole('button', { name: `Refund of ${paymentId}` }).click();
    await dialog.getByRole('button', { name: 'Refund $10.00' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(asked).toBe(2);
    // A refusal that comes after the request was accepted is explained like any other.
    await page.unroute('**/api/billing/operations/**');
    const { title, status, fix } = errorCatalogue.provider_refused;
    const problem = { code: 'provider_refused', title, status, detail: 'The payment is too old.', fix };
    await page.route('**/api/billing/operations/**', (route) =>
      route.fulfill({ json: { ...operation, problem, finishedAt: '2026-01-01T00:00:00.000Z' } }),
    );
    await page.getByRole('button', { name: `Refund of ${paymentId}` }).click();
    await dialog.getByRole('button', { name: 'Refund $10.00' }).click();
    const refusal = dialog.getByRole('alert');
    await refusal.getByText(title).waitFor();
    await refusal.getByText('The payment is too old.').waitFor();
    // The console sets the names in backticks as code.
    await refusal.getByText(fix.replaceAll('`', '')).waitFor();
    // If it takes longer than the page waits, it says where the outcome will be, also where the operator has left the
    // form.
    await page.unroute('**/api/billing/operations/**');
    await page.route('**/api/billing/operations/**', (route) => route.fulfill({ json: operation }));
    await page.clock.install();
    const accepted = page.waitForResponse('**/api/billing/operations/**');
    await dialog.getByRole('button', { name: 'Refund $10.00' }).click();
    await accepted;
    await page.getByRole('link', { name: 'Customers', includeHidden: true }).dispatchEvent('click');
    await page
      .getByRole('dialog', { name: 'Leave before the answer?' })
      .getByRole('button', { name: 'Leave' })
      .click();
    await dialog.waitFor({ state: 'detached' });
    await page.clock.fastForward(60_000);
    await page.getByText('The page Commands shows when it has ended.').waitFor();
    await page.close();
  });

  test('a refund is not sent without a warning if another operator made one while the second factor was asked for', async () => {
    const { externalId, subscriptionId, paymentId } = await subscribePaid();
    const refundElsewhere = (key: string) =>
      operator.post('/api/billing/refunds', {
        body: { paymentId, amount: { amount: '500', currency: 'USD' } },
        headers: { 'Idempotency-Key': `${externalId}-${key}` },
      });
    const client = await logIn(service, { role: 'admin', workspaceId: operator.workspaceId });
    const { app } = await enrol(service, client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, '/payments');
    await page.getByRole('button', { name: `Refund of ${paymentId}` }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(externalId) });
    const code = page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('textbox');
    const refund = dialog.getByRole('button', { name: 'Refund $5.00' });
    await dialog.getByLabel('Amount, USD').fill('5');
    provoke(403, 409, 'net::ERR_FAILED');
    await refund.click();
    // Declined, and pressed again later.
    await code.press('Escape');
    await dialog.getByText('second_factor_required').waitFor();
    await refundElsewhere('first');
    await refund.click();
    await dialog.getByText('$15.00 can be refunded.').waitFor();
    await dialog.getByText('Something else can be refunded now').waitFor();
    await refund.click();
    await code.waitFor();
    await refundElsewhere('second');
    await code.fill(app.next());
    await code.press('Enter');
    await dialog.getByText('$10.00 can be refunded.').waitFor();
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toHaveLength(2);
    // If what can be refunded cannot be read after the code, nothing was sent, so it is read before the next attempt.
    service.clock.ahead += 11 * 60_000;
    await refund.click();
    await code.waitFor();
    await page.route(`**/api/billing/payments/${paymentId}?*`, (route) => route.abort(), { times: 1 });
    await code.fill(app.next());
    await code.press('Enter');
    await dialog.getByText('The service cannot be reached').waitFor();
    await refundElsewhere('third');
    await refund.click();
    await dialog.getByText('$5.00 can be refunded.').waitFor();
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toHaveLength(3);
    // Intended, it is made. If its answer is lost, later refusals do not make it count as another operator's.
    await page.route('**/api/billing/refunds?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await refund.click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/api/billing/refunds?*');
    const problem = { type: 'about:blank', title: 'Still busy', status: 409, code: 'idempotency_key_in_use' };
    await page.route(
      '**/api/billing/refunds?*',
      (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: { ...problem, detail: 'It is in progress.', fix: 'Wait.', requestId: '' },
        }),
      { times: 1 },
    );
    await refund.click();
    await dialog.getByText('Still busy').waitFor();
    service.clock.ahead += 11 * 60_000;
    await refund.click();
    await code.fill(app.next());
    await code.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await listOf('/api/billing/refunds', { subscriptionId })).toHaveLength(4);
  });

  test('credits are granted with an end, and expired', async () => {
    const { id, externalId } = await createCustomer(operator);
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(externalId) });
    await dialog.getByRole('button', { name: 'Grant credits' }).click();
    await dialog.getByText('Enter more than nothing.').waitFor();
    await dialog.getByRole('textbox', { name: 'Credits' }).fill('500');
    await dialog.getByLabel('Reason').fill('an apology');
    await dialog.getByLabel('End').fill('2099-01-31T12:00');
    await dialog.getByRole('button', { name: 'Grant credits' }).click();
    await page.getByText('500 can be spent now.').waitFor();
    await page.getByRole('cell', { name: /^Jan 31, 2099, 12:00\sPM$/ }).waitFor();
    expect(await listOf(`/api/customers/${id}/credits`, {})).toMatchObject([
      { amount: 500, reason: 'an apology', expiresAt: '2099-01-31T11:00:00.000Z' },
    ]);
    await page.getByRole('button', { name: /^Expire the grant/ }).click();
    await page.getByRole('button', { name: 'Expire 500 credits' }).click();
    await page.getByText('0 can be spent now.', { exact: true }).waitFor();
    const viewer = await logIn(service, { role: 'viewer', workspaceId: operator.workspaceId });
    const seen = await browser.openAs(viewer, `/customers/${id}`);
    await seen.getByRole('cell', { name: /\(expired\)$/ }).waitFor();
  });

  test('a viewer reads which role payments and credits need', async () => {
    const { customerId } = await subscribe();
    const { workspaceId } = operator;
    const viewer = await logIn(service, { role: 'viewer', workspaceId });
    const page = await browser.openAs(viewer, '/payments?tab=transactions');
    await page.getByText('This needs the role admin').waitFor();
    const record = page.getByRole('button', { name: /^Record payment/ }).first();
    expect(await record.getAttribute('aria-disabled')).toBe('true');
    await record.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(page.url().replace('/payments?tab=transactions', `/customers/${customerId}`));
    const grant = page.getByRole('button', { name: 'Grant credits' });
    await grant.waitFor();
    expect(await grant.getAttribute('aria-disabled')).toBe('true');
  });

  test('a checkout at a provider with several connections names one of them', async () => {
    const { externalId } = await createCustomer(operator);
    const page = await browser.openAs(operator, '/payments?tab=checkouts');
    const connection = { provider: 'provider_a', disabledAt: null };
    const data = [
      { ...connection, id: 'conn_1', displayName: 'EU' },
      { ...connection, id: 'conn_2', displayName: 'US' },
      { ...connection, id: 'conn_3', displayName: 'Old', disabledAt: '2026-01-01T00:00:00.000Z' },
      { ...connection, id: 'conn_4', displayName: 'Wallet', provider: 'provider_b' },
    ];
    await page.route('**/api/provider-connections?*', (route) =>
      route.fulfill({ json: { object: 'list', data, hasMore: false } }),
    );
    await page.getByRole('button', { name: 'New checkout' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Customer').fill(externalId);
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Small.*\$20\.00\/month/ }).click();
    const choose = async (provider: RegExp) => {
      await dialog.getByRole('combobox', { name: 'Who collects' }).click();
      await page.getByRole('option', { name: provider }).click();
    };
    const choice = dialog.getByRole('combobox', { name: 'Connection' });
    await choose(/^Provider A/);
    await dialog.getByRole('button', { name: 'Create checkout' }).click();
    await dialog.getByText('Choose the connection.').waitFor();
    await choice.click();
    expect(await page.getByRole('option').count()).toBe(2);
    await page.getByRole('option', { name: /US/ }).click();
    await keepScreenshot(page, 'checkout-connection');
    await choose(/^Provider B/);
    await choice.waitFor({ state: 'detached' });
    await choose(/^Provider A/);
    expect(await choice.inputValue()).toBe('');
    await choice.click();
    await page.getByRole('option', { name: /EU/ }).click();
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    await page.route('**/api/billing/checkouts?*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 201, json: {} }) : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Create checkout' }).click();
    expect((await asked).postDataJSON()).toMatchObject({ provider: 'provider_a', connectionId: 'conn_1' });
  });

  test('a checkout is made and expired, and settlements are collected and made', async () => {
    const { externalId } = await createCustomer(operator);
    const page = await browser.openAs(operator, '/payments?tab=checkouts');
    await page.getByText('There are no checkouts yet').waitFor();
    await page.getByRole('button', { name: 'New checkout' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create checkout' }).click();
    await dialog.getByText('Choose the plan.').waitFor();
    await dialog.getByLabel('Customer').fill(externalId);
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Small.*\$20\.00\/month/ }).click();
    await dialog.getByRole('button', { name: 'Create checkout' }).click();
    await page.getByRole('link', { name: externalId }).waitFor();
    await page.getByRole('button', { name: `Expire the checkout of ${externalId}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Expire it' }).click();
    await page.getByText('expired', { exact: true }).waitFor();
    expect(await listOf('/api/billing/checkouts', {})).toMatchObject([{ externalId, status: 'expired' }]);

    await page.getByRole('tab', { name: 'Settlements' }).click();
    await page.getByRole('button', { name: 'Collect now' }).click();
    await page.getByText('There is no connection to ask.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New settlement' }).click();
    const [from, to] = [0, 1].map((place) =>
      page.getByRole('dialog').locator('[type=datetime-local]').nth(place),
    );
    await from?.fill('2026-01-02T00:00');
    await to?.fill('2026-01-01T00:00');
    await page.getByLabel('Currency').fill('xyz');
    await page.getByRole('button', { name: 'Settle', exact: true }).click();
    await page.getByText('Choose a time after the beginning.').waitFor();
    await to?.fill('2026-01-02T00:00');
    await page.getByRole('button', { name: 'Settle', exact: true }).click();
    await page.getByText('Choose a time after the beginning.').waitFor();
    await page.getByText('Enter the code of a currency in use, such as USD.').waitFor();
  });

  test('a checkout that ends meanwhile is shown so without a reload', async () => {
    const { externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/checkouts', {
      body: { externalId, planSlug: 'small', provider: 'internal' },
      headers: { 'Idempotency-Key': externalId },
    });
    const page = await browser.openAs(operator, '/payments?tab=checkouts');
    const row = page.getByRole('row', { name: externalId });
    await row.getByText('open', { exact: true }).waitFor();
    expect((await operator.post(`/api/billing/checkouts/${idOf(made)}/expire`)).status).toBe(200);
    await row.getByText('expired', { exact: true }).waitFor();
  });

  test('checkouts, settlements, commands and messages are found by their ids', async () => {
    const { externalId, paymentId } = await subscribePaid();
    const make = async (path: string, body: object) =>
      idOf(await operator.post(path, { body, headers: { 'Idempotency-Key': `${externalId}-${path}` } }));
    const checkout = { externalId: (await createCustomer(operator)).externalId, planSlug: 'small' };
    const checkoutId = await make('/api/billing/checkouts', { ...checkout, provider: 'internal' });
    await make('/api/billing/refunds', { paymentId, amount: { amount: '100', currency: 'USD' } });
    service.clock.ahead = 60_000;
    const settlementId = await make('/api/billing/settlements', {
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: new Date(Date.now()).toISOString(),
    });
    const [command] = await listOf('/api/billing/operations', {});
    const [sent] = await service.database.query<{ id: string }>(
      'SELECT id FROM tollgate.webhook_messages WHERE workspace_id = $1 LIMIT 1',
      [operator.workspaceId],
    );
    const page = await browser.openAs(operator, '/customers');
    const find = async (id: string) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search', exact: true }).fill(id);
      await page.getByText(`Open ${id}`).click();
    };
    for (const id of [checkoutId, settlementId, String(command?.['id'])]) {
      await find(id);
      await page.getByText(`Only ${id}.`).waitFor();
      await page.getByText('That is the only one.').waitFor();
      expect(await page.getByRole('table').getByText(id).count()).toBe(1);
    }
    const messageId = sent?.id ?? '';
    await find(messageId);
    const message = page.getByRole('dialog', { name: 'Message' });
    await message.getByLabel('The payload').getByText('"type"').waitFor();
    await page.keyboard.press('Escape');
    await message.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });
});
