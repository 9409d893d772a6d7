import type { Page } from 'playwright-core';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('leaving a page with something typed in it (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ service, browser, operator } = started);
  });

  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  /** Opens the settings through a link on the customers page. */
  const openSettings = async () => {
    const page = await browser.openAs(operator, '/customers');
    const prompts: string[] = [];
    page.on('dialog', (dialog) => {
      prompts.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Settings' }).click();
    const field = page.getByRole('textbox', { name: 'Grace, days' });
    await field.waitFor();
    return { page, field, prompts };
  };
  /** The address alone changes for a moment also where the page is kept by the question. */
  const atCustomers = (page: Page) => page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();

  test('asks before it goes back, and stays or goes as answered', async () => {
    const { page, field } = await openSettings();
    await field.fill('9');
    await page.evaluate('history.back()');
    await question(page).waitFor();
    await keepScreenshot(page, 'leave-question');
    expect(await findBarriers(page, '[role="dialog"]')).toEqual([]);
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await question(page).waitFor({ state: 'detached' });
    // The browser has gone back already, and returns.
    await page.waitForURL(/\/settings$/);
    expect(await field.inputValue()).toBe('9');
    await page.evaluate('history.back()');
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await atCustomers(page);
  });

  test('asks before a link of the page leads elsewhere', async () => {
    const { page, field } = await openSettings();
    await field.fill('9');
    await page.getByRole('link', { name: 'Members' }).click();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/members$/);
  });

  test('has the browser ask before the page is reloaded or closed', async () => {
    const { page, field, prompts } = await openSettings();
    await field.fill('9');
    const reload = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    expect((await reload).type()).toBe('beforeunload');
    expect(await field.inputValue()).toBe('9');
    const close = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await close).type()).toBe('beforeunload');
    expect(await field.inputValue()).toBe('9');
    expect(prompts).toEqual(['beforeunload', 'beforeunload']);
  });

  test('does not ask where nothing was touched, or what was typed was taken back', async () => {
    const { page, field, prompts } = await openSettings();
    await page.reload();
    const before = await field.inputValue();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Time zone').fill('UTC');
    expect(before).not.toBe('');
    await page.evaluate('history.back()');
    await atCustomers(page);
    expect([prompts, await question(page).count()]).toEqual([[], 0]);
  });

  test('does not ask after it was saved', async () => {
    const { page, field, prompts } = await openSettings();
    await field.fill('8');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    // The form has what was saved some time after this is said.
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('8');
    await page.evaluate('history.back()');
    await atCustomers(page);
    expect([prompts, await question(page).count()]).toEqual([[], 0]);
  });

  test('does not ask where the form that was saved leads elsewhere itself', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    await page.getByLabel('External id').fill('acct_new');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.waitForURL(/\/customers\/cus/);
    expect(await question(page).count()).toBe(0);
  });

  test('asks before it goes back from a dialog with something typed in it', async () => {
    const page = await browser.openAs(operator, '/settings');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const field = page.getByLabel('External id');
    await field.fill('acct_typed');
    await page.evaluate('history.back()');
    await question(page).waitFor();
    // Escape closes the question only, not the form under it.
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    await atCustomers(page);
    expect(await field.inputValue()).toBe('acct_typed');
    await page.evaluate('history.back()');
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/settings$/);
  });

  test('asks before it signs out, and stays signed in or not as answered', async () => {
    const other = await logIn(service, { role: 'owner' });
    const page = await browser.openAs(other, '/settings');
    const field = page.getByRole('textbox', { name: 'Grace, days' });
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Sign out without saving?' });
    await field.fill('9');
    await signOut();
    await dialog.waitFor();
    await keepScreenshot(page, 'sign-out-question');
    expect(await findBarriers(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('9');
    expect((await other.get('/api/auth/session', { env: null })).status).toBe(200);
    await signOut();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in to the operators’ console.').waitFor();
    expect((await other.get('/api/auth/session', { env: null })).status).toBe(401);
  });
});
