import type { OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { type ConsoleBrowser, inBrowser } from './browser';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('a dialog about a row that leaves its list (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ browser, operator } = started);
  });

  test('the last key of a page is rolled, which moves it to the next page, and the new one is shown', async () => {
    for (let number = 0; number < 50; number += 1)
      await operator.post('/api/api-keys', { body: { name: `key ${number}`, scopes: ['usage'] } });
    const page = await browser.openAs(operator, '/developer/api-keys');
    const roll = page.getByRole('button', { name: /^Roll \u2068key 0\u2069/ });
    // The new key has the same name, and other last characters.
    const name = (await roll.getAttribute('aria-label')) ?? '';
    await roll.click();
    await page.getByRole('button', { name: 'Make the new key' }).click();
    const shown = page.getByRole('dialog', { name: 'The key, shown once' });
    await shown.getByText(/^svc_test_/).waitFor();
    // The list behind it has been read again.
    await page.getByRole('button', { name, includeHidden: true }).waitFor({ state: 'detached' });
    expect(await shown.getByText(/^svc_test_/).count()).toBe(1);
  });

  test('a key and its successor, which has the same name, are told apart where one is revoked', async () => {
    const made = await operator.post('/api/api-keys', { body: { name: 'twin', scopes: ['usage'] } });
    const successor = await operator.post(`/api/api-keys/${String(made.body['id'])}/roll`, {
      body: { overlapHours: 1 },
    });
    const page = await browser.openAs(operator, '/developer/api-keys');
    for (const { body } of [made, successor]) {
      const lastFour = String(body['secret']).slice(-4);
      await page.getByRole('button', { name: `Revoke \u2068twin\u2069, ending in ${lastFour}` }).click();
      const dialog = page.getByRole('dialog', { name: `Revoke \u2068twin\u2069, ending in ${lastFour}` });
      await dialog.getByRole('button', { name: 'Leave it' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('what is typed about a feature stays while others are created', async () => {
    const create = (key: string) =>
      operator.post('/api/features', { body: { key, name: key, kind: 'boolean' } });
    for (let number = 0; number < 50; number += 1) await create(`feature_${number}`);
    const page = await browser.openAs(operator, '/catalogue');
    const features = page.getByRole('table', { name: 'Features', includeHidden: true });
    await features.getByRole('button', { name: 'Edit \u2068feature_0\u2069' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit the feature/ });
    await dialog.getByLabel('Name').fill('First');
    await create('newest');
    // Simulates the operator's return to the tab.
    await until(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return (await features.getByText('newest').count()) > 0;
    });
    await dialog.getByRole('button', { name: 'Save feature' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await operator.get('/api/features', { query: { search: 'First' } })).body;
    expect(data).toMatchObject([{ key: 'feature_0' }]);
  });
});
