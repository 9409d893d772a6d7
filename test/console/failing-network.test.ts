import type { Page } from 'playwright-core';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('a network that fails (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct', provoked: [500, 502, 503] }, (started) => {
    ({ service, browser, operator } = started);
  });

  /** Makes the page's requests fail until the returned function is called. */
  const failing = async (page: Page, address: (url: URL) => boolean, method = 'GET') => {
    await page.route(address, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>500</h1>' })
        : route.fallback(),
    );
    return () => page.unroute(address);
  };

  test('the next page of a list, which fails, leaves those before it, and is asked for again', async () => {
    for (let number = 0; number < 51; number += 1)
      await operator.post('/api/customers', { body: { externalId: `acct_${number}` } });
    const page = await browser.openAs(operator, '/customers');
    const rows = page.getByRole('table', { name: 'Customers' }).getByRole('row');
    await page.getByRole('link', { name: 'acct_50' }).waitFor();
    const before = await rows.count();
    const heal = await failing(page, ({ searchParams }) => searchParams.has('cursor'));
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('alert').waitFor();
    await keepScreenshot(page, 'next-page-failed');
    expect(await rows.count()).toBe(before);
    await heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'acct_0', exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test.each([
    ['/members', '/members', 'Members'],
    ['/../../../account', '/sessions', 'Sessions'],
  ])('a table of %s that cannot be read is asked for again', async (at, address, label) => {
    const page = await browser.openAs(operator, '');
    const heal = await failing(
      page,
      ({ pathname }) => pathname.startsWith('/api/') && pathname.endsWith(address),
    );
    await page.goto(new URL(`${page.url()}${at}`).href);
    const panel = page.getByRole('region', { name: label });
    await panel.getByRole('alert').waitFor();
    expect(await panel.getByRole('table').count()).toBe(0);
    await heal();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('row', { name: operator.email }).or(panel.getByText('this one')).waitFor();
  });

  test('what cannot be said without a failed reading leaves no empty space', async () => {
    const seller = await logIn(service, { role: 'owner' });
    const { externalId } = await createCustomer(seller);
    const id = idOf(await subscribe(seller, { externalId, planId: await createPlan(seller) }));
    await service.database.query(
      "UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = now() WHERE id = $1",
      [id],
    );
    const page = await browser.openAs(seller, '');
    const unread = ['/api/sandbox/clock', '/api/billing/settings'];
    await failing(page, ({ pathname }) => unread.includes(pathname));
    await page.goto(`${page.url()}/subscriptions/${id}`);
    await page.getByText('Past due', { exact: true }).waitFor();
    for (const words of ['Unpaid since', 'Access is given until'])
      await page.locator('[aria-hidden]', { hasText: words }).waitFor({ state: 'detached' });
  });

  test('a plan gets no currency that was not chosen if the settings cannot be read', async () => {
    const group = { slug: 'yen', name: 'Yen' };
    await operator.post('/api/plan-groups', { body: group });
    await operator.patch('/api/billing/settings', { body: { defaultCurrency: 'JPY' } });
    const page = await browser.openAs(operator, '/catalogue');
    const heal = await failing(page, ({ pathname }) => pathname === '/api/billing/settings');
    await page.getByRole('button', { name: 'New plan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New plan' });
    await dialog.getByRole('combobox', { name: 'Plan group' }).click();
    await page.getByRole('option', { name: 'Yen' }).click();
    await dialog.getByLabel('Name').fill('Monthly');
    await dialog.getByLabel('Slug').fill('monthly');
    await dialog.getByLabel('Price').fill('1500');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByText('Enter the currency').waitFor();
    await heal();
    await dialog.getByLabel('Currency').fill('jpy');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await operator.get('/api/plans')).body as { data: { price: object }[] };
    expect(data.map(({ price }) => price)).toEqual([{ amount: '1500', currency: 'JPY' }]);
    await operator.patch('/api/billing/settings', { body: { defaultCurrency: 'USD' } });
  });

  test('a list by renewal, whose time cannot be read, says so, and is there once it can', async () => {
    const page = await browser.openAs(operator, '/customers');
    const heal = await failing(page, ({ pathname }) => pathname === '/api/sandbox/clock');
    await page.goto(page.url().replace('/customers', '/subscriptions?renews=week'));
    await page.getByRole('alert').waitFor();
    await heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('None is like this').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a choice whose list cannot be read does not claim that the list is empty', async () => {
    const page = await browser.openAs(operator, '/subscriptions');
    await failing(page, ({ pathname }) => pathname === '/api/plans');
    await page.getByRole('button', { name: 'New subscription' }).first().click();
    await page.getByRole('combobox', { name: 'Plan' }).fill('pro');
    await page.getByText('The list could not be read.').waitFor();
    expect(await page.getByText('There is no such plan on sale.').count()).toBe(0);
  });

  test('a search that fails does not say that there is nothing', async () => {
    const page = await browser.openAs(operator, '/settings');
    await failing(page, ({ pathname }) => pathname === '/api/customers');
    await page.getByLabel('Time zone').press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('zzzz');
    await page.getByText('Customers could not be searched.').waitFor();
    expect(await page.getByText('Nothing of this name.').count()).toBe(0);
  });

  test('a plan whose entitlements cannot be read is not said to be missing from the grid', async () => {
    const seller = await logIn(service, { role: 'owner' });
    await sellTwoPlans(seller);
    const page = await browser.openAs(seller, '/settings');
    const heal = await failing(page, ({ pathname }) => pathname.endsWith('/entitlements'));
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await page.getByRole('link', { name: /^Entitlement grid/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('The group has no plan on sale').count()).toBe(0);
    await heal();
    // The button goes with the failure, and the focus to the content.
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('columnheader', { name: 'Large' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
  });

  test('open invitations that cannot be read are not left out without a word', async () => {
    const page = await browser.openAs(operator, '/settings');
    const heal = await failing(page, ({ pathname }) => pathname.endsWith('/invitations'));
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('alert').waitFor();
    await operator.post(`/api/organizations/${operator.workspaceId}/members`, {
      env: null,
      body: { email: 'invited@example.test', role: 'viewer' },
    });
    await heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Invitations' }).getByText('invited@example.test').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('credits whose answer is cut off are granted once when sent again', async () => {
    const id = idOf(await operator.post('/api/customers', { body: { externalId: 'acct_broken' } }));
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits').fill('5');
    await page.evaluate(`{
      const whole = window.fetch;
      window.fetch = async (request) => {
        const response = await whole(request);
        if (request.method !== 'POST') return response;
        window.fetch = whole;
        const broken = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) });
        return new Response(broken, response);
      };
    }`);
    const grant = dialog.getByRole('button', { name: 'Grant credits' });
    await grant.click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await grant.click();
    await dialog.waitFor({ state: 'detached' });
    const credits = await operator.get(`/api/customers/${id}/credits`);
    expect(credits.body).toMatchObject({ balance: 5 });
  });

  test('credits without an answer are reported as unanswered, and granted once when sent again', async () => {
    const id = idOf(await operator.post('/api/customers', { body: { externalId: 'acct_hanging' } }));
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits').fill('5');
    await page.clock.install();
    let say: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (say = resolve));
    let sent = 0;
    await page.route('**/credits?*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent += 1;
      if (sent > 1) return route.continue();
      await route.fetch();
      say();
      return undefined;
    });
    const grant = dialog.getByRole('button', { name: 'Grant credits' });
    await grant.click();
    await reached;
    await page.clock.fastForward('10:00');
    await dialog.getByText('The service does not answer').waitFor();
    await grant.click();
    await dialog.waitFor({ state: 'detached' });
    const credits = await operator.get(`/api/customers/${id}/credits`);
    expect(credits.body).toMatchObject({ balance: 5 });
  });

  test('the sign-in page of a network, which answers 200, is not taken for the answer of the service', async () => {
    const id = idOf(await operator.post('/api/customers', { body: { externalId: 'acct_hotel' } }));
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^Grant credits to/ });
    await dialog.getByRole('textbox', { name: 'Credits' }).fill('5');
    const credits = (url: URL): boolean => url.pathname.endsWith('/credits');
    await page.route(credits, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' })
        : route.fallback(),
    );
    const send = dialog.getByRole('button', { name: 'Grant credits' });
    await send.click();
    await dialog.getByText('The response did not come from the service').waitFor();
    await page.unroute(credits);
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await operator.get(`/api/customers/${id}/credits`)).body).toMatchObject({ balance: 5 });
  });

  /** Has the page's next request with the method done, and its answer lost. */
  const loseNext = async (page: Page, method: string) => {
    let lost = 0;
    await page.route('**/api/**', async (route) => {
      if (route.request().method() !== method || lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' });
    });
  };

  test('a key whose answer is lost is in the list behind the form, before another is made', async () => {
    const page = await browser.openAs(operator, '/developer/api-keys');
    await loseNext(page, 'POST');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('lost');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByText('answer_unknown').waitFor();
    await page.locator('main').getByText('lost', { exact: true }).waitFor();
  });

  test('an invitation whose answer is lost is in the list below the form', async () => {
    const page = await browser.openAs(operator, '/members');
    await loseNext(page, 'POST');
    await page.getByLabel('Email address').fill('lost@example.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('answer_unknown').waitFor();
    await page.getByRole('table', { name: 'Invitations' }).getByText('lost@example.test').waitFor();
  });

  test('an answer that is cut off, or missing, is not shown as a defect of the console', async () => {
    const page = await browser.openAs(operator, '/settings');
    const customers = '**/api/customers?*';
    for (const answer of [
      { status: 200, contentType: 'application/json', body: '{"data":[{"id":"cus_' },
      { status: 204 },
    ]) {
      await page.route(customers, (route) => route.fulfill(answer));
      await page.getByRole('link', { name: 'Customers' }).click();
      await page.getByRole('alert').getByText('answer_unknown').waitFor();
      await page.unroute(customers);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: 'Customers' }).waitFor();
      await page.getByRole('button', { name: 'New customer' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'New customer' });
      await dialog.getByLabel('External id').fill('acct_cut');
      await page.route(customers, (route) =>
        route.request().method() === 'POST' ? route.fulfill(answer) : route.fallback(),
      );
      await dialog.getByRole('button', { name: 'Create customer' }).click();
      await dialog.getByText('It may have been done anyway.').waitFor();
      await page.unroute(customers);
      await page.goto(page.url().replace(/customers.*/, 'settings'));
    }
  });

  test('an organization whose answer is lost is offered behind the form, before another is made', async () => {
    const administrator = await logIn(service, { role: 'owner', platformAdministrator: true });
    const page = await browser.openAs(administrator, '');
    const picker = page.getByRole('button', { name: /Acme/ });
    await picker.click();
    await loseNext(page, 'POST');
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'New organization' });
    await dialog.getByLabel('Name').fill('Initech');
    const read = page.waitForResponse('**/api/auth/session');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await dialog.getByText('answer_unknown').waitFor();
    await read;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await picker.click();
    await page.getByRole('menuitem', { name: /Initech.*you are owner/ }).waitFor();
  });

  test('a failure names how long to wait and what to set, and that a request may have been done', async () => {
    const id = idOf(await operator.post('/api/customers', { body: { externalId: 'acct_busy' } }));
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^Grant credits to/ });
    await dialog.getByRole('textbox', { name: 'Credits' }).fill('5');
    const send = dialog.getByRole('button', { name: 'Grant credits' });
    const [title, detail, requestId] = ['The service is overloaded.', 'Nothing was done.', 'req_1'];
    const fix = 'Wait for the seconds in `Retry-After` and send the same request again.';
    const grants = '**/credits?*';
    await page.route(grants, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            headers: { 'Retry-After': '7' },
            json: { type: 'about:blank', title, status: 503, detail, code: 'service_busy', fix, requestId },
          })
        : route.fallback(),
    );
    await send.click();
    await dialog.getByText('Wait for 7 seconds and send the same request again.').waitFor();
    await page.unroute(grants);
    // Names in backticks are set as code, and a name without a space hides nothing to the side.
    const name = 'W'.repeat(200);
    provoke(422);
    await page.route(grants, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title,
              status: 422,
              detail: `There is no customer "${name}".`,
              code: 'refused',
              fix: 'Set it in `metadata` first.',
              requestId,
            },
          })
        : route.fallback(),
    );
    await send.click();
    await dialog.getByText('Set it in metadata first.').waitFor();
    expect(await dialog.getByRole('code').allTextContents()).toContain('metadata');
    await page.unroute(grants);
    provoke(400);
    await page.route(grants, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title,
              status: 400,
              detail: `/amount: is not for "${name}".`,
              code: 'validation_failed',
              fix: 'Correct it.',
              requestId,
              errors: [{ pointer: '/amount', message: 'is more than `most`', fix: 'Leave `amount` out.' }],
            },
          })
        : route.fallback(),
    );
    await send.click();
    // At its field, and in the list of what is wrong.
    const advice = dialog.getByText('more than most. Leave amount out.');
    await advice.first().waitFor();
    expect(await advice.count()).toBe(2);
    const isCut =
      "{ const alert = document.querySelector('[role=alert]'); alert.scrollWidth > alert.clientWidth }";
    expect(await page.evaluate<boolean>(isCut)).toBe(false);
    await page.unroute(grants);
    await loseNext(page, 'POST');
    await send.click();
    await dialog.getByText('It may have been done anyway.').waitFor();
    await dialog.getByText('Check whether it was done, and if not, try again').waitFor();
  });

  test('the clock of the sandbox, advanced without an answer, is not said to have stayed', async () => {
    const externalId = 'acct_clock';
    await operator.post('/api/customers', { body: { externalId } });
    const group = { slug: 'clocks', name: 'Clocks' };
    const planGroupId = idOf(await operator.post('/api/plan-groups', { body: group }));
    const price = { amount: '2000', currency: 'USD' };
    const plan = { planGroupId, slug: 'clock', name: 'Clock', price, interval: 'month' };
    await operator.post('/api/plans', { body: plan });
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'clock' },
      headers: { 'Idempotency-Key': externalId },
    });
    const page = await browser.openAs(operator, `/subscriptions/${idOf(made)}`);
    const advance = page.getByRole('button', { name: 'Advance the clock' });
    // The time, which is read first, cannot be read.
    await page.route('**/api/sandbox/clock?*', (route) => route.fulfill({ status: 500 }));
    await advance.click();
    await page.getByRole('menuitem', { name: 'By a day' }).click();
    const unmoved = page.getByRole('dialog', { name: 'The clock was not moved' });
    await unmoved.waitFor();
    await page.keyboard.press('Escape');
    await unmoved.waitFor({ state: 'detached' });
    await page.unroute('**/api/sandbox/clock?*');
    await loseNext(page, 'POST');
    await advance.click();
    await page.getByRole('menuitem', { name: 'By a day' }).click();
    await page.getByRole('dialog', { name: 'The clock may have moved' }).waitFor();
    // The page behind it shows what became of it.
    await page.getByText('by the sandbox’s clock').waitFor({ state: 'attached' });
  });

  test('a connection that was disabled without an answer is not enabled by another try', async () => {
    const body = { provider: 'provider_a', displayName: 'Ours' };
    const id = idOf(await operator.post('/api/provider-connections', { body }));
    const page = await browser.openAs(operator, `/connections/${id}`);
    await loseNext(page, 'DELETE');
    await page.getByRole('button', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog');
    const disable = dialog.getByRole('button', { name: 'Disable the connection' });
    await disable.click();
    await dialog.getByText('answer_unknown').waitFor();
    await page.locator('main').getByText('Enable', { exact: true }).waitFor();
    await disable.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await operator.get(`/api/provider-connections/${id}`)).body['disabledAt']).not.toBeNull();
    await page.getByRole('button', { name: 'Enable' }).click();
    await dialog.getByText('Webhooks are accepted again').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  test('a change that a proxy answers for, after it was made, is made once by another try', async () => {
    await sellTwoPlans(operator);
    const externalId = 'acct_changed';
    await operator.post('/api/customers', { body: { externalId } });
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    const id = idOf(made);
    const page = await browser.openAs(operator, `/subscriptions/${id}`);
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog', { name: /^Change the subscription/ });
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Large/ }).click();
    const button = dialog.getByRole('button', { name: /^Upgrade now, charge \$/ });
    await button.waitFor();
    let lost = 0;
    await page.route('**/change?*', async (route) => {
      if (lost > 0 || route.request().url().includes('dryRun')) return route.continue();
      lost += 1;
      await route.fetch();
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' });
    });
    await button.click();
    await dialog.getByText('answer_unknown').waitFor();
    // The page behind the dialog reads that the change is made; the dialog still sends the same request again.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('main').getByText('Large').first().waitFor();
    await keepScreenshot(page, 'change-answer-lost');
    await button.click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await operator.get('/api/billing/transactions', { query: { subscriptionId: id } });
    expect((body['data'] as { kind: string }[]).map(({ kind }) => kind).toSorted()).toEqual([
      'initial',
      'proration',
    ]);
    expect(lost).toBe(1);
  });
});
