import type { Page } from 'playwright-core';
import type { OperatorClient } from '../support/operator';
import { type ConsoleBrowser, inBrowser } from './browser';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('the same page of another environment or customer (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ browser, operator } = started);
  });

  /** Navigates as the browser's history does. */
  const goTo = (page: Page, path: string) =>
    page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  /** The radio button itself is hidden behind its label. */
  const shows = (page: Page, environment: string) =>
    page.getByRole('radio', { name: environment, checked: true }).waitFor({ state: 'attached' });
  const inProduction = (page: Page) => new URL(page.url()).pathname.replace('/sandbox', '/production');

  test('a dialog that was open in one environment does not write to the other', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const dialog = page.getByRole('dialog', { name: /customer/i });
    await dialog.waitFor();
    await goTo(page, inProduction(page));
    await shows(page, 'Production');
    await page.getByText('There are no customers yet').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('input of a form is not kept for the other environment', async () => {
    const page = await browser.openAs(operator, '/members');
    const field = page.getByLabel('Email address');
    await field.waitFor();
    await goTo(page, inProduction(page));
    await shows(page, 'Production');
    await field.fill('new@example.test');
    await page.evaluate('history.back()');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await shows(page, 'Sandbox');
    expect(await field.inputValue()).toBe('');
  });

  test('a dialog about one customer is not there for another', async () => {
    const [one, another] = await Promise.all(
      ['one', 'another'].map(
        async (externalId) =>
          (await operator.post('/api/customers', { body: { externalId } })).body['id'] as string,
      ),
    );
    const page = await browser.openAs(operator, `/customers/${one}`);
    await page
      .getByRole('button', { name: /^Grant credits/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await goTo(page, new URL(page.url()).pathname.replace(String(one), String(another)));
    await page.getByRole('heading', { level: 1, name: /another/ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});
