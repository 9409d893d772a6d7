import type { Page } from 'playwright-core';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { hold } from './hold';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('a slow or missing network (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({}, (started) => {
    ({ service, browser } = started);
  });
  beforeEach(async () => {
    operator = await logIn(service, { role: 'owner' });
  });

  const leaveQuestion = (page: Page) => page.getByRole('dialog', { name: 'Leave before the answer?' });

  test('a page whose code cannot be loaded says so, keeps the console, and is there with the connection', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByText('There are no customers yet').waitFor();
    provoke('net::ERR_INTERNET_DISCONNECTED', 'The request got no response');
    // Without the browser's notice that the connection has returned, on which the page is loaded again by itself.
    const document = `${service.urls.console}/`;
    for (const address of ['**/assets/CommandsPage*.js', document])
      await page.route(address, (route) => route.abort('internetdisconnected'));
    await page.getByRole('link', { name: 'Commands' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await keepScreenshot(page, 'page-without-connection');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There are no commands yet').waitFor();
  });

  test('a page and a list that cannot be loaded are there with the connection, without a click', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByText('There are no customers yet').waitFor();
    provoke('net::ERR_INTERNET_DISCONNECTED', 'The request got no response');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Commands' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByText('There are no commands yet').waitFor();

    await page.context().setOffline(true);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option').first().click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
  });

  test('a page that is gone after an upgrade is loaded with the new document', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByText('There are no customers yet').waitFor();
    let isNew = false;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isNew = true;
    });
    await page.route('**/assets/CommandsPage*.js', (route) =>
      isNew ? route.continue() : route.fulfill({ status: 404 }),
    );
    // The second is reported only if the new document takes longer than React to report it.
    provoke(404, 'Failed to fetch dynamically imported module');
    await page.getByRole('link', { name: 'Commands' }).click();
    await page.getByText('There are no commands yet').waitFor();
    expect(isNew).toBe(true);
  });

  test('what is made while its list is read for the first time is in the list', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByText('There are no customers yet').waitFor();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const first = page.waitForRequest('**/api/plan-groups?*');
    await page.route(
      '**/api/plan-groups?*',
      async (route) => {
        const response = await route.fetch();
        await isReleased;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await first;
    await page.getByRole('button', { name: 'New plan group', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New plan group' });
    await dialog.getByLabel('Name').fill('Plans');
    await dialog.getByLabel('Slug').fill('plans');
    const made = page.waitForResponse((response) => response.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await made;
    release();
    await page.getByRole('cell', { name: 'plans', exact: true }).waitFor();
  });

  test('a new secret is shown before the list behind it is read again', async () => {
    const page = await browser.openAs(operator, '/developer/api-keys');
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    const release = await hold(page, '**/api/api-keys?*', 'GET');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Shop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('[data-secret]').waitFor();
    release();
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'Shop' }).waitFor();
  });

  test('who leaves before the answer is asked first, and stays where they have gone', async () => {
    const page = await browser.openAs(operator, '/members');
    await page.getByRole('link', { name: 'Customers' }).click();
    const release = await hold(page, '**/api/customers?*', 'POST');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    await page.getByRole('dialog').getByLabel('External id').fill('acct_left');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    await page.evaluate('history.back()');
    await keepScreenshot(page, 'leave-before-the-answer');
    await leaveQuestion(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/members$/);
    await page.locator('main').getByText('Invitations').first().waitFor();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    release();
    await (await answered).finished();
    // A later request is answered after the page has handled this answer.
    await page.evaluate("fetch('/api/auth/session').then(() => undefined)");
    expect(new URL(page.url()).pathname).toMatch(/\/members$/);
  });

  test('who leaves while the list is read again after the answer is not asked', async () => {
    const page = await browser.openAs(operator, '/members');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByText('There are no customers yet').waitFor();
    const release = await hold(page, '**/api/customers?*', 'GET');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    await page.getByRole('dialog').getByLabel('External id').fill('acct_made');
    const rereading = page.waitForRequest(
      (request) => request.method() === 'GET' && request.url().includes('/api/customers?'),
    );
    await page.getByRole('button', { name: 'Create customer' }).click();
    await rereading;
    await page.evaluate('history.back()');
    await page.waitForURL(/\/members$/);
    await page.locator('main').getByText('Invitations').first().waitFor();
    release();
  });

  test('a secret that is being made is not lost by Back without a question', async () => {
    expect((await operator.post('/api/api-keys', { body: { name: 'Shop' } })).status).toBe(201);
    const page = await browser.openAs(operator, '/members');
    await page.getByRole('link', { name: 'API keys' }).click();
    const release = await hold(page, '**/roll?*', 'POST');
    await page.getByRole('row', { name: 'Shop' }).getByRole('button', { name: 'Roll' }).click();
    await page.getByRole('button', { name: 'Make the new key' }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    await page.evaluate('history.back()');
    await leaveQuestion(page).getByRole('button', { name: 'Stay' }).click();
    release();
    await page.locator('[data-secret]').waitFor();
  });

  test('the button for older items is busy while the list is read again before', async () => {
    for (let index = 0; index < 51; index += 1)
      await operator.post('/api/customers', { body: { externalId: `acct_${index}` } });
    const page = await browser.openAs(operator, '/customers');
    const older = page.getByRole('button', { name: 'Older' });
    await older.waitFor();
    const release = await hold(page, '**/api/customers?*', 'GET');
    await page.getByRole('button', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('External id').fill('acct_0');
    // Refused, because it exists, so the list is read again.
    provoke(409);
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await older.click();
    await page.locator('button[aria-busy=true]', { hasText: 'Older' }).waitFor();
    release();
    await page.getByText('These are all 51.').waitFor();
  });
});
