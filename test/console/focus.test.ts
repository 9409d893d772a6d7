import type { Page } from 'playwright-core';
import { fakeSecret } from '../connections/connection-calls';
import { seedEvents } from '../support/events';
import type { OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { until } from '../support/until';
import { type ConsoleBrowser, findBarriers, inBrowser } from './browser';
import { useConsole } from './use-console';

/** The API's response to an invalid field. */
const WRONG_EMAIL = {
  status: 400,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'The request is not valid',
    status: 400,
    detail: 'One member is not valid.',
    code: 'validation_failed',
    fix: 'Correct it.',
    requestId: 'req_1',
    errors: [{ pointer: '/body/email', message: 'It is no address.', fix: '' }],
  }),
};

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('where the keyboard’s focus is (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({}, async (started) => {
    ({ service, browser, operator } = started);
    for (let number = 0; number < 51; number += 1)
      await operator.post('/api/customers', { body: { externalId: `acct_${number}` } });
  });

  const focused = (page: Page) =>
    page.evaluate<string>(`{
      const { id, tagName, textContent } = document.activeElement;
      id === 'content' ? 'the content' : tagName === 'BODY' ? 'nothing' : textContent;
    }`);

  const labelOf = (page: Page) =>
    page.evaluate<string>("document.activeElement.labels?.[0]?.firstChild?.textContent ?? 'nothing'");

  test('a link of a page, which goes with the page, leaves it on the content of the next', async () => {
    const page = await browser.openAs(operator, '/customers');
    const link = page.getByRole('link', { name: 'acct_50' });
    await link.waitFor();
    // On the first page, focus starts at the top, with the link that skips the navigation.
    expect(await focused(page)).toBe('nothing');
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /acct_50/ }).waitFor();
    expect(await focused(page)).toBe('the content');
    const settings = page.getByRole('link', { name: 'Settings' });
    await settings.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await focused(page)).toBe('Settings');
  });

  test('a form that is wrong gives it to its first wrong field, also where the API finds it', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('Enter your own id of the customer.').waitFor();
    expect(await labelOf(page)).toBe('External id');
    await dialog.getByLabel('External id').fill('acct_wrong');
    await dialog.getByLabel('Email').fill('refused@example.test');
    await page.route('**/api/customers?*', (route) =>
      route.request().method() === 'POST' ? route.fulfill(WRONG_EMAIL) : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await labelOf(page)).toBe('Email');
    provoke(400);
  });

  test('a step of a dialog has it in its first field after Enter in the one before', async () => {
    const page = await browser.openAs(operator, '/connections');
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ours');
    await page.keyboard.press('Enter');
    const secret = dialog.getByRole('textbox', { name: 'Secret key' });
    await secret.waitFor();
    expect(await labelOf(page)).toBe('Secret key');
    await page.keyboard.type(fakeSecret('sk_test_'));
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Merchant ID').waitFor();
    await page.keyboard.press('Enter');
    // The form is stored, and its button gone.
    await dialog.getByRole('button', { name: 'Create connection' }).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Test the connection');
  });

  test('a form of a page gives it to the first wrong field as one reads', async () => {
    const page = await browser.openAs(operator, '/settings');
    const credits = page.getByRole('textbox', { name: 'Credits are low at, %' });
    await credits.fill('much');
    await page.getByRole('textbox', { name: 'Grace, days' }).fill('1.5');
    await credits.press('Enter');
    await page.getByText('Enter a whole number.').waitFor();
    expect(await page.evaluate<string>("document.activeElement.dataset['path']")).toBe('graceDays');
  });

  test('a button that was busy has it still, and the end of a list where there is nothing more to load', async () => {
    const page = await browser.openAs(operator, '/settings');
    await page.getByRole('textbox', { name: 'Grace, days' }).fill('9');
    const save = page.getByRole('button', { name: 'Save settings' });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let sent = 0;
    await page.route('**/api/billing/settings?*', async (route) => {
      if (route.request().method() === 'PATCH') {
        sent += 1;
        await held;
      }
      await route.continue();
    });
    await save.focus();
    await page.keyboard.press('Enter');
    await page.locator('button[aria-busy=true]').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Grace, days' }).press('Enter');
    await save.focus();
    answer();
    await page.getByText('The settings are saved.').waitFor();
    expect([await focused(page), sent]).toEqual(['Save settings', 1]);

    await page.getByRole('link', { name: 'Customers' }).click();
    // The previous page has such a button too, and stays until this one is loaded.
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.getByRole('button', { name: 'Older' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('These are all 51.').waitFor();
    expect(await focused(page)).toBe('These are all 51.');
    // A search that follows makes another list, whose end takes no focus.
    const search = page.getByRole('textbox', { name: 'Search customers' });
    await search.fill('acct_5');
    await page.getByText('These are all 2.').waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Search customers');
  });

  test('a row of many members, of which only those in view are in the page, has it again after its dialog', async () => {
    const page = await browser.openAs(operator, '/');
    await page.route(/\/api\/organizations\/[^/]+\/members$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { id: string; role: string }[] };
      const others = Array.from({ length: 300 }, (_, number) => ({
        ...body.data[0],
        id: `op_${number}`,
        name: `Member ${number}`,
        email: `member-${number}@example.test`,
        role: 'developer',
      }));
      await route.fulfill({ response: answer, json: { ...body, data: [...body.data, ...others] } });
    });
    await page.getByRole('link', { name: 'Members' }).click();
    const table = page.getByRole('table', { name: 'Members' });
    const row = table.getByRole('row', { name: 'member-1@' });
    await row.getByRole('button', { name: 'Reset' }).focus();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await table.getByRole('row', { name: 'member-299@' }).waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('302');
    expect(await table.getByRole('combobox').count()).toBeLessThan(60);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /Member 1/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const inRow = "document.activeElement?.closest('tr')?.ariaRowIndex";
    expect([await focused(page), await page.evaluate(inRow)]).toEqual(['Reset', '4']);

    // The filter leaves a typed invitation as it is, and does not ask about it.
    await page.getByLabel('Email address').fill('new@example.test');
    await page.getByLabel('Search members').fill('MEMBER-29');
    await page.locator('table[aria-rowcount="12"]').waitFor();
    await page.getByLabel('Search members').fill('nobody of this name');
    await page.getByText('Nobody is found').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('new@example.test');
  });

  test('a button that its action removes together with the row leaves it on the content', async () => {
    for (const email of ['one@example.test', 'two@example.test'])
      await operator.post(`/api/organizations/${operator.workspaceId}/members`, {
        env: null,
        body: { email, role: 'viewer' },
      });
    const page = await browser.openAs(operator, '/members');
    const revoke = page.getByRole('button', { name: 'Revoke the invitation of one@example.test' });
    await revoke.press('Enter');
    await revoke.waitFor({ state: 'detached' });
    await until(async () => (await page.evaluate('document.activeElement.id')) === 'content');
  });

  test('a button that its action removes, such as that of a link that is passed on, leaves it on the content', async () => {
    const page = await browser.openAs(operator, '/members');
    await page.getByLabel('Email address').fill('passed@example.test');
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'I have passed the link on' });
    await button.focus();
    await page.keyboard.press('Enter');
    await button.waitFor({ state: 'detached' });
    await until(async () => (await focused(page)) === 'the content');
  });

  test('the account, which the menu leads to, has it on its content', async () => {
    const page = await browser.openAs(operator, '');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Account and sessions' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  test('Enter in the field of a dialog does what its button does', async () => {
    await operator.post('/api/api-keys', { body: { name: 'by keyboard', scopes: ['usage'] } });
    const page = await browser.openAs(operator, '/developer/api-keys');
    await page.getByRole('button', { name: /^Roll \u2068by keyboard/ }).press('Enter');
    const hours = page.getByLabel('Hours the old key keeps working');
    await hours.fill('ten');
    await hours.press('Enter');
    await page.getByText('Enter a whole number').waitFor();
    await hours.fill('1');
    await hours.press('Enter');
    const shown = page.getByRole('dialog', { name: 'The key, shown once' });
    await shown.getByLabel('I have stored the key').press('Space');
    await shown.getByRole('button', { name: 'Close', exact: true }).press('Enter');
    await shown.waitFor({ state: 'detached' });
    const revoke = page.getByRole('button', { name: /^Revoke \u2068by keyboard/ });
    await until(async () => (await revoke.count()) === 2);
    await revoke.first().press('Enter');
    const typed = page.getByRole('dialog').getByRole('textbox');
    await typed.fill('by keyboar');
    await typed.press('Enter');
    await typed.fill('by keyboard');
    await typed.press('Enter');
    await page.getByText(/^revoked/).waitFor();
    expect(await revoke.count()).toBe(1);
  });

  test('a switch keeps it while its request is answered', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.route('**/api/auth/session', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { secondFactor: object };
      const secondFactor = { ...body.secondFactor, enrolled: true };
      await route.fulfill({ response: answer, json: { ...body, secondFactor } });
    });
    await page.reload();
    await page.getByRole('link', { name: 'Members' }).click();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let sent = 0;
    await page.route('**/second-factor-requirement*', async (route) => {
      sent += 1;
      await held;
      await route.fulfill({ json: {} });
    });
    const required = page.getByRole('switch', { name: /^Require a second factor/ });
    await required.focus();
    await page.keyboard.press('Space');
    await page.locator('input[role=switch][aria-busy=true]').waitFor();
    expect(await required.isChecked()).toBe(true);
    await page.keyboard.press('Space');
    answer();
    await page.locator('input[role=switch][aria-busy=false]').waitFor();
    expect([await page.evaluate('document.activeElement.role'), sent]).toEqual(['switch', 1]);
  });

  test('the search is a dialog with a name, and has no barrier', async () => {
    const page = await browser.openAs(operator, '/members');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search for pages, customers and ids' }).waitFor();
    await page.locator('[aria-label="Search"]:focus').waitFor();
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
  });

  test('Escape in the search closes only the search, and not what is open below it', async () => {
    const search = async (page: Page) => {
      await page.keyboard.press('Control+k');
      // It takes the focus some time after it is shown.
      await page.locator('[aria-label="Search"]:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Search', exact: true }).waitFor({ state: 'detached' });
    };
    const { workspaceId } = operator;
    await seedEvents(service.database, { workspaceId, environment: 'sandbox' }, [{ createdAt: Date.now() }]);
    const page = await browser.openAs(operator, '/events');
    await page.getByRole('region', { name: 'Events' }).getByRole('button').first().press('Enter');
    const event = page.getByRole('dialog', { name: 'Event' });
    await event.waitFor();
    await search(page);
    expect(await event.count()).toBe(1);
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show as curl' }).press('Enter');
    const curl = page.getByRole('dialog', { name: /as curl$/ });
    await curl.waitFor();
    await search(page);
    expect(await curl.count()).toBe(1);
    await page.keyboard.press('Escape');
    await curl.waitFor({ state: 'detached' });
  });

  test('the customer of usage has it while it is replaced by another, and follows a link', async () => {
    const page = await browser.openAs(operator, '/usage?customer=acct_1');
    const field = page.getByRole('combobox', { name: 'Customer' });
    await field.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Backspace');
    await page.waitForURL(/usage$/);
    await page.keyboard.type('acct_2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/customer=acct_2$/);
    await page.keyboard.type('0');
    expect(await field.inputValue()).toBe('acct_20');
    await page.getByRole('combobox', { name: 'Time zone' }).focus();
    await page.waitForURL(/customer=acct_20$/);
    // Navigates as a link on the page does.
    await page.evaluate("history.pushState({}, '', '?customer=acct_3')");
    await until(async () => (await field.inputValue()) === 'acct_3');
  });
});
