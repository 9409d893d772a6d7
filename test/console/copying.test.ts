import { idOf } from '../catalog/offer';
import type { OperatorClient } from '../support/operator';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('a browser that refuses something (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct' }, (started) => {
    ({ browser, operator } = started);
  });

  test('what it does not copy is not said to be copied, and what to do instead is said', async () => {
    const page = await browser.openAs(operator, '/developer/api-keys');
    await page.evaluate(
      "navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))",
    );
    await page.getByRole('button', { name: 'New key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('server');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('alert').getByText('The browser has not copied it').waitFor();
    expect(await dialog.getByRole('button', { name: 'Copied' }).count()).toBe(0);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  test('an id that is copied by keyboard says what became of it, too', async () => {
    const made = await operator.post('/api/customers', { body: { externalId: 'acct_keyboard' } });
    const page = await browser.openAs(operator, `/customers/${idOf(made)}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate(
      "navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))",
    );
    await page.getByRole('button', { name: `Copy ${idOf(made)}` }).press('Enter');
    await page.getByRole('tooltip').getByText('The browser has not copied it').waitFor();
    await keepScreenshot(page, 'id-not-copied');
  });

  test('over http, where it makes no UUID, a subscription is changed', async () => {
    await sellTwoPlans(operator);
    await operator.post('/api/customers', { body: { externalId: 'acct_http' } });
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId: 'acct_http', planSlug: 'small' },
      headers: { 'Idempotency-Key': 'acct_http' },
    });
    const page = await browser.openAs(operator, '/settings');
    await page.evaluate('delete Crypto.prototype.randomUUID');
    await page.evaluate(
      `history.pushState({}, '', location.pathname.replace('/settings', '/subscriptions/${idOf(made)}'))`,
    );
    await page.getByRole('button', { name: 'Change seats' }).click();
    await page.getByRole('dialog').getByLabel('Seats').fill('3');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /now, charge/ })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await operator.get(`/api/billing/subscriptions/${idOf(made)}`);
    expect(body).toMatchObject({ seats: 3 });
  });
});
