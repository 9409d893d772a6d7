import type { Page, Route } from 'playwright-core';
import { createClient, logIn, logInAs, testPassword, type OperatorClient } from '../support/operator';
import { enrol } from '../support/second-factor';
import type { TestService } from '../support/service';
import { until } from '../support/until';
import { addressOf } from '../support/secret-link';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('a session that ends under an open form (skipped without CHROMIUM_PATH)', () => {
  useConsole({ provoked: [401, 404] }, (started) => {
    ({ service, browser } = started);
  });

  /**
   * Opens a page.
   *
   * @returns a function that ends the session. The page's own reads are answered before the end, or after the page has
   *   asked for the sign-in: otherwise the page would notice the end before the form does.
   */
  const openToEnd = async (operator: OperatorClient, path: string) => {
    const page = await browser.openAs(operator, path);
    let reading = 0;
    let dialogShown: Promise<void> | undefined;
    const answer = async (route: Route): Promise<void> => {
      if (route.request().method() !== 'GET' || route.request().url().includes('search=acct'))
        return route.continue();
      if (dialogShown !== undefined) {
        await dialogShown;
        return route.continue();
      }
      reading += 1;
      const response = await route.fetch();
      reading -= 1;
      return route.fulfill({ response });
    };
    // A page that was closed in the meantime takes no response.
    await page.route('**/api/**', (route) => answer(route).catch(() => undefined));
    await page.reload();
    const end = async (): Promise<void> => {
      // A page that is closed first never shows it.
      dialogShown = question(page)
        .waitFor()
        .catch(() => undefined);
      await until(() => reading === 0);
      await operator.post('/api/auth/logout', { env: null });
    };
    return { page, end };
  };
  const question = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
  const signIn = async (page: Page, email?: string): Promise<void> => {
    const dialog = question(page);
    if (email !== undefined) await dialog.getByLabel('Email address').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(testPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };
  /** Submits a form for a new customer after the session has ended. */
  const send = async (operator: OperatorClient) => {
    const { page, end } = await openToEnd(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const form = page.getByRole('dialog', { name: /customer/i });
    const field = form.getByLabel('External id');
    await field.fill('acct_kept');
    await end();
    const button = form.getByRole('button', { name: 'Create customer' });
    await button.click();
    await question(page).waitFor();
    return { page, form, field, button };
  };
  const anotherSession = async ({ email, workspaceId }: OperatorClient): Promise<OperatorClient> => {
    const cookie = await logInAs(service.urls.console, email, testPassword);
    return createClient(service.urls.console, { operatorId: '', email, workspaceId, cookie });
  };
  const customersOf = async (operator: OperatorClient) =>
    (
      (await (await anotherSession(operator)).get('/api/customers')).body['data'] as { externalId: string }[]
    ).map(({ externalId }) => externalId);

  test('is asked for over the form, which the same operator then sends', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const { page, form, field, button } = await send(operator);
    await keepScreenshot(page, 'session-ended');
    expect(await findBarriers(page, '[role="dialog"]')).toEqual([]);
    expect(await question(page).getByLabel('Email address').inputValue()).toBe(operator.email);
    await page.keyboard.press('Escape');
    await signIn(page);
    await question(page).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('acct_kept');
    expect(await customersOf(operator)).toEqual([]);
    await button.click();
    await form.waitFor({ state: 'detached' });
    expect(await customersOf(operator)).toEqual(['acct_kept']);
  });

  test('asks for the second factor too, in both themes and a narrow page', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, operator);
    const { page, form, field, button } = await send(operator);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await signIn(page);
    await question(page).getByRole('textbox', { name: 'Code' }).fill(app.next());
    await keepScreenshot(page, 'session-ended-code-dark-390');
    await question(page).getByRole('button', { name: 'Continue' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('acct_kept');
    await button.click();
    await form.waitFor({ state: 'detached' });
  });

  test('a form of the page stays when a request beside it finds that the session has ended', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const { page, end } = await openToEnd(operator, '/members');
    const field = page.getByLabel('Email address');
    await field.fill('new@example.test');
    await end();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByPlaceholder('An id, an external id, or a page').fill('acct');
    await question(page).waitFor();
    await signIn(page);
    await question(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('new@example.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Pass this link on to new@example.test').waitFor();
  });

  test('for another operator who signs in, the page is reloaded, without the form', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const other = await logIn(service, { role: 'owner', workspaceId: operator.workspaceId });
    const { page, form } = await send(operator);
    const loaded = page.waitForEvent('load');
    await signIn(page, other.email);
    await loaded;
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await form.count()).toBe(0);
    expect(await customersOf(operator)).toEqual([]);
  });

  test('this page is also reloaded if another operator signs in on another page of the browser', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const other = await logIn(service, { role: 'owner', workspaceId: operator.workspaceId });
    const { page, form } = await send(operator);
    const loaded = page.waitForEvent('load');
    const second = await browser.another(page.context(), '/');
    await second.getByLabel('Email address').fill(other.email);
    await second.getByLabel('Password', { exact: true }).fill(testPassword);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await loaded;
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await form.count()).toBe(0);
  });

  test('this page is also reloaded if another operator accepts an invitation on another page of the browser', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const other = await logIn(service, { role: 'owner' });
    const invited = await operator.post(`/api/organizations/${operator.workspaceId}/members`, {
      env: null,
      body: { email: other.email, role: 'viewer' },
    });
    const page = await browser.openAs(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const form = page.getByRole('dialog', { name: /customer/i });
    await form.getByLabel('External id').fill('acct_of_another');
    const loaded = page.waitForEvent('load');
    const second = await browser.another(page.context(), addressOf(invited.body['link']));
    await second.getByLabel('The password of your account').fill(testPassword);
    await second.getByRole('button', { name: 'Join' }).click();
    await loaded;
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await form.count()).toBe(0);
  });

  test('an operator who signs in on another page of the browser can continue in this one, and in one that waits for the sign-in', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const { page, form, field, button } = await send(operator);
    const third = await browser.another(page.context(), new URL(page.url()).pathname);
    await third.waitForURL(/sign-in\?next=/);
    const second = await browser.another(page.context(), '/');
    await second.getByLabel('Email address').fill(operator.email);
    await second.getByLabel('Password', { exact: true }).fill(testPassword);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await question(page).waitFor({ state: 'detached' });
    await third.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await field.inputValue()).toBe('acct_kept');
    await button.click();
    await form.waitFor({ state: 'detached' });
  });

  test('a sign-out on another page of the browser ends it on this one, and is asked about over a form', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const page = await browser.openAs(operator, '/customers');
    const path = new URL(page.url()).pathname;
    const writing = await browser.another(page.context(), path);
    const leaving = await browser.another(page.context(), path);
    await writing.getByRole('button', { name: 'New customer' }).first().click();
    const field = writing.getByRole('dialog', { name: /customer/i }).getByLabel('External id');
    await field.fill('acct_kept');
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await leaving.getByRole('button', { name: /^Account of/ }).click();
    await leaving.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in\?next=/);
    await question(writing).waitFor();
    await signIn(writing);
    await question(writing).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('acct_kept');
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  });

  test('an operator who was removed in the meantime is redirected to the start without a question', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const { workspaceId } = owner;
    const member = await logIn(service, { role: 'developer', workspaceId });
    const { page } = await send(member);
    await owner.delete(`/api/organizations/${workspaceId}/members/${member.operatorId}`, { env: null });
    await signIn(page);
    await page.getByText('None yet: ask an admin for an invitation.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('can be left for the sign-in, without what was entered', async () => {
    const operator = await logIn(service, { role: 'owner' });
    const { page } = await send(operator);
    await question(page).getByRole('button', { name: 'Leave and discard changes' }).click();
    await page.waitForURL(/sign-in\?next=/);
    await page.getByText('Sign in to the operators’ console.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
