import type { Page } from 'playwright-core';
import { createCustomer } from '../catalog/offer';
import type { OperatorClient } from '../support/operator';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { hold } from './hold';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser(
  'what a screen reader reads, and forced colours and a zoom of 400 % leave (skipped without CHROMIUM_PATH)',
  () => {
    const provoke = useConsole({}, (started) => {
      ({ browser, operator } = started);
    });

    const style = (page: Page, selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);

    test('that a list is loading is read', async () => {
      const page = await browser.openAs(operator, '/settings');
      const release = await hold(page, '**/api/customers?*', 'GET');
      await page.getByRole('link', { name: 'Customers' }).click();
      await page.getByRole('progressbar', { name: 'Loading Customers' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      release();
      await page.getByText('There are no customers yet').waitFor();
    });

    test('a menu has the focus on its first item', async () => {
      const page = await browser.openAs(operator, '/settings');
      await page.getByRole('button', { name: /^Account of/ }).focus();
      await page.keyboard.press('Enter');
      const focused = page.locator('[role=menuitem]:focus');
      await focused.getByText('Account and sessions').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await focused.getByText('API reference').waitFor();
    });

    test('the selected result of the search is read, and that there is none', async () => {
      const page = await browser.openAs(operator, '/customers');
      await page.setViewportSize({ width: 320, height: 256 });
      await page.getByRole('button', { name: 'New customer' }).first().waitFor();
      await page.keyboard.press('Control+k');
      const input = page.getByRole('combobox', { name: 'Search' });
      await input.fill('webhook');
      const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
      await page.getByRole('option', { name: 'Webhooks', selected: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      const selected = page.getByRole('option', { selected: true });
      await page.getByRole('option', { name: 'Webhook endpoints', selected: true }).waitFor();
      expect(await input.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      expect(await selected.count()).toBe(1);
      // All of a result is in the window.
      const { height = 0 } = (await results.first().boundingBox()) ?? {};
      const { height: room = 0 } = (await page.getByRole('listbox').boundingBox()) ?? {};
      expect(room).toBeGreaterThan(height);
      expect(await findBarriers(page)).toEqual([]);
      await input.fill('zzzz');
      await page.getByRole('status').getByText('Nothing found.').waitFor();
      expect(await input.getAttribute('aria-expanded')).toBe('false');
      expect(await findBarriers(page)).toEqual([]);
      // No customer can have it, so another try would not help.
      provoke(400);
      const refused = page.waitForResponse((answer) => answer.status() === 400);
      await input.fill('z'.repeat(300));
      await refused;
      await page.getByRole('status').getByText('Nothing found.').waitFor();
    });

    test('a customer that is found is selected, so that Enter opens its page', async () => {
      const { externalId } = await createCustomer(operator);
      const { id } = await createCustomer(operator, `${externalId}-newest`);
      const page = await browser.openAs(operator, '/settings');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await page.keyboard.press('Control+k');
      const release = await hold(page, '**/api/customers?*', 'GET');
      await page.getByRole('combobox', { name: 'Search' }).fill(externalId);
      await page.getByRole('status').getByText('Searching').waitFor();
      release();
      const selected = page.getByRole('option', { selected: true });
      await selected.waitFor();
      const [first, second] = await page.getByRole('option').allInnerTexts();
      expect(await selected.innerText()).toBe(first);
      // From there, the keys lead to the next one and back.
      await page.keyboard.press('ArrowDown');
      expect(await selected.innerText()).toBe(second);
      await page.getByRole('combobox', { name: 'Search' }).press('ArrowUp');
      expect(await selected.innerText()).toBe(first);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/customers/${id}$`));
    });

    test('with the spacing of text that WCAG allows its readers, the header overlaps nothing at 320 pixels', async () => {
      const page = await browser.openAs(operator, '/settings');
      await page.setViewportSize({ width: 320, height: 640 });
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await page.evaluate(`{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }`);
      const label = await page.getByText('Production', { exact: true }).boundingBox();
      const search = await page.getByRole('button', { name: 'Search' }).boundingBox();
      expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0);
    });

    test('with forced colours, the environment and the page are told apart from the others', async () => {
      const page = await browser.openAs(operator, '/settings');
      await page.emulateMedia({ forcedColors: 'active' });
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      const backgrounds = () =>
        Promise.all(
          [
            '.mantine-SegmentedControl-label[data-active]',
            '.mantine-SegmentedControl-label:not([data-active])',
            'nav a[aria-current=page]',
            'nav a:not([aria-current])',
          ].map((selector) => style(page, selector, 'backgroundColor')),
        );
      const [env, otherEnv, here, elsewhere] = await backgrounds();
      expect(env).not.toBe(otherEnv);
      expect(here).not.toBe(elsewhere);
      const line = await style(page, 'header', 'borderTopColor');
      await keepScreenshot(page, 'forced-colours');
      await page.getByText('Production', { exact: true }).click();
      await page.locator('header[data-environment=production]').waitFor();
      expect(await style(page, 'header', 'borderTopColor')).not.toBe(line);
    });
  },
);
