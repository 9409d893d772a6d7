import type { Page } from 'playwright-core';
import { createCustomer } from '../catalog/offer';
import { logIn, testPassword, type OperatorClient } from '../support/operator';
import { Authenticator, enrol } from '../support/second-factor';
import type { TestService } from '../support/service';
import { addressOf } from '../support/secret-link';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { hold } from './hold';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('the second factor in the console (skipped without CHROMIUM_PATH)', () => {
  useConsole({ provoked: [401, 403, 404, 409] }, (started) => {
    ({ service, browser } = started);
  });

  const signInWith = async (page: Page, email: string, code: string): Promise<void> => {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  const looks = async (page: Page, name: string, within?: string): Promise<void> => {
    await keepScreenshot(page, name);
    expect(await findBarriers(page, within)).toEqual([]);
  };

  /** Grants credits on a customer's page. @returns the form, and the dialog that asks for the second factor */
  const grantCredits = async (page: Page) => {
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const form = page.getByRole('dialog', { name: /^Grant credits to/ });
    await form.getByRole('textbox', { name: 'Credits' }).fill('25');
    await form.getByRole('button', { name: 'Grant credits' }).click();
    return { form, dialog: page.getByRole('dialog', { name: 'Confirm that it is you' }) };
  };

  /** Returns the text of what has the focus. */
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

  test('is set up by the QR code, and asked for at the next sign-in', async () => {
    const client = await logIn(service, { role: 'owner' });
    const page = await browser.openAs(client, '');
    await page.goto(`${browser.url}/account`);
    await page.getByRole('button', { name: 'Set it up' }).click();
    await page.getByLabel('Your password').fill(testPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    await looks(page, 'second-factor-enrol', '[role="dialog"]');
    const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
    const app = new Authenticator(secret.replaceAll(' ', ''), service.clock);
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByText('second_factor_failed').waitFor();
    // The app has the key already: a new set-up would have another one.
    await page.mouse.click(5, 300);
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code());
    // The answer has the recovery codes, which are shown only here.
    const release = await hold(page, '**/api/auth/second-factor/enrol', 'POST');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    release();
    const codes = ((await page.getByLabel('Recovery codes', { exact: true }).textContent()) ?? '').split(
      '\n',
    );
    expect(codes).toHaveLength(10);
    await looks(page, 'second-factor-recovery-codes', '[role="dialog"]');
    expect(await focused(page)).toBe('Copy');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close' }).and(page.locator(':disabled')).waitFor();
    await page.getByLabel('I have stored the codes').check();
    await page.keyboard.press('Escape');
    await page.getByText('Recovery codes left: 10.').waitFor();
    await looks(page, 'second-factor-account');

    const again = await browser.open('/');
    await signInWith(again, client.email, codes[0] ?? '');
    await again.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    await again.goto(`${browser.url}/account`);
    await again.getByText('Recovery codes left: 9.').waitFor();
  });

  test('new recovery codes are shown before the page behind them is read again', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    const page = await browser.openAs(client, '');
    await page.goto(`${browser.url}/account`);
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    const release = await hold(page, '**/api/auth/second-factor', 'GET');
    await page.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByLabel('Recovery codes', { exact: true }).waitFor();
    release();
  });

  test('the second step says when a code is wrong, and can begin again', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    const page = await browser.open('/', { colorScheme: 'dark', width: 390 });
    await signInWith(page, client.email, '000000');
    await page.getByText('second_factor_failed').waitFor();
    await looks(page, 'second-factor-sign-in-dark-390');
    await page.getByRole('button', { name: 'Begin again' }).click();
    await signInWith(page, client.email, app.next());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  });

  test('is asked for over the dialog that needs it, and what was asked for then happens', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, '/members');
    const invite = async (): Promise<void> => {
      await page.getByLabel('Email address').fill('new@example.test');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
    };
    await invite();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.waitFor();
    await looks(page, 'second-factor-step-up', '[role="dialog"]');
    // An operator that cancels is shown why the action did not happen.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('second_factor_required').waitFor();
    await invite();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('second_factor_failed').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Pass this link on to new@example.test').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('is asked for before credits are granted, which then are, once', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    const { id } = await createCustomer(client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, `/customers/${id}`);
    const { form, dialog } = await grantCredits(page);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await form.waitFor({ state: 'detached' });
    const granted = await client.get(`/api/customers/${id}/credits`);
    expect((granted.body['data'] as object[]).length).toBe(1);
  });

  test('Escape closes only the question: the form under it stays, and nothing is done behind it', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    const { id } = await createCustomer(client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, `/customers/${id}`);
    const { form, dialog } = await grantCredits(page);
    await dialog.getByRole('textbox', { name: 'Code' }).press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await form.getByText('second_factor_required').waitFor();
    expect(await form.getByRole('textbox', { name: 'Credits' }).inputValue()).toBe('25');
    await form.getByRole('button', { name: 'Grant credits' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(app.next());
    // Once the code is sent, it waits for the answer.
    const release = await hold(page, '**/api/auth/second-factor/confirm', 'POST');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor();
    release();
    await form.waitFor({ state: 'detached' });
    const granted = await client.get(`/api/customers/${id}/credits`);
    expect((granted.body['data'] as object[]).length).toBe(1);
  });

  test('is not asked for once its page is left, and what was asked for there does not happen', async () => {
    const client = await logIn(service, { role: 'owner' });
    await enrol(service, client);
    const { id } = await createCustomer(client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, '/members');
    await page.evaluate(
      `history.pushState({}, '', location.pathname.replace('/members', '/customers/${id}'))`,
    );
    const { dialog } = await grantCredits(page);
    await dialog.waitFor();
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect((await client.get(`/api/customers/${id}/credits`)).body['data']).toEqual([]);
  });

  test('is not asked for over the sign-in, once the session is given up', async () => {
    const client = await logIn(service, { role: 'owner' });
    const { app } = await enrol(service, client);
    const { id } = await createCustomer(client);
    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(client, `/customers/${id}`);
    const { dialog } = await grantCredits(page);
    await dialog.waitFor();
    expect((await client.post('/api/auth/logout', { env: null })).status).toBe(204);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Leave and discard changes' }).click();
    await page.getByText('Sign in to the operators’ console.').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  test('takes an invitation on by a code, and not before', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const client = await logIn(service, { role: 'developer' });
    const { app } = await enrol(service, client);
    const members = `/api/organizations/${owner.workspaceId}/members`;
    const body = { email: client.email, role: 'viewer' };
    const invited = await owner.post(members, { env: null, body });
    const page = await browser.open(addressOf(invited.body['link']));
    await page.getByLabel('The password of your account').fill(testPassword);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill(app.next());
    const joined = async () =>
      JSON.stringify((await owner.get(members, { env: null })).body).includes(client.email);
    expect(await joined()).toBe(false);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    expect(await joined()).toBe(true);
  });

  test('an organization that requires one leads its members to their account', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const member = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
    await enrol(service, owner);
    const page = await browser.openAs(owner, '/members');
    await page.getByLabel('Require a second factor for every member').click();
    await page.getByRole('switch', { checked: true }).waitFor({ state: 'attached' });
    await looks(page, 'second-factor-requirement');
    const theirs = await browser.openAs(member, '/customers');
    await theirs.getByText('Set up a second factor to continue').waitFor();
    expect(new URL(theirs.url()).pathname).toBe('/account');
    await theirs.setViewportSize({ width: 390, height: 900 });
    await looks(theirs, 'second-factor-required-390');
  });

  test('a reset link leads a member back in', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const member = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
    await enrol(service, member);
    const page = await browser.openAs(owner, '/members');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = (await page.locator('[data-secret]').textContent()) ?? '';
    await looks(page, 'second-factor-reset-link', '[role="dialog"]');
    expect(await focused(page)).toBe('Copy');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close' }).and(page.locator(':disabled')).waitFor();
    await page.getByLabel('I have passed the link on').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const address = addressOf(link);
    await expectOwnerRefused(owner, address);
    const theirs = await browser.open(address, { colorScheme: 'dark', width: 390 });
    await theirs.getByLabel('New password').fill('another horse, another battery');
    await looks(theirs, 'second-factor-reset-dark-390');
    await theirs.getByRole('button', { name: 'Reset the account' }).click();
    await theirs.getByRole('link', { name: `Sign in as ${member.email}` }).click();
    await theirs.getByLabel('Email address').fill(member.email);
    await theirs.getByLabel('Password', { exact: true }).fill('another horse, another battery');
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  });

  async function expectOwnerRefused(owner: OperatorClient, address: string): Promise<void> {
    const own = await browser.openAs(owner, '');
    await own.goto(browser.url + address);
    await own.getByText('reset_link_other_session').waitFor();
  }
});
