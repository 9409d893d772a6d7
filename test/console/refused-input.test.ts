import type { Locator, Page } from 'playwright-core';
import { createCustomer } from '../catalog/offer';
import type { OperatorClient } from '../support/operator';
import { addressOf } from '../support/secret-link';
import { type ConsoleBrowser, inBrowser } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('input that is refused at its field (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct', role: 'admin', provoked: [400] }, async (started) => {
    ({ browser, operator } = started);
    await sellTwoPlans(operator);
  });

  /** Resolves once the field has this error and the focus. */
  const refused = async (field: Locator, error: string): Promise<void> => {
    const page = field.page();
    await page.getByText(error, { exact: true }).waitFor();
    const description = `[...document.querySelectorAll('[aria-invalid=true]:focus')].map((field) =>
      (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent).join(' '))`;
    expect(await page.evaluate<string[]>(description)).toEqual([expect.stringContaining(error)]);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  };
  /** Has the next request refused with an error for each of these members. */
  const refuseNext = async (page: Page, address: string, pointers: string[]): Promise<void> => {
    await page.route(
      address,
      (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          json: {
            title: 'The request is not valid.',
            status: 400,
            detail: 'A member is not valid.',
            code: 'validation_failed',
            fix: 'Correct it.',
            requestId: 'req_1',
            errors: pointers.map((pointer) => ({
              pointer,
              message: `is wrong at ${pointer}`,
              fix: 'Correct it.',
            })),
          },
        }),
      { times: 1 },
    );
  };

  test('an end that is typed but not a whole time of the calendar is not taken for no end', async () => {
    const { id } = await createCustomer(operator);
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog', { name: /^Grant credits to/ });
    const send = dialog.getByRole('button', { name: 'Grant credits' });
    const end = dialog.getByLabel('End');
    // February has no thirtieth, and the other has no time.
    for (const typed of ['02302099\t1000AM', '02272099']) {
      await dialog.getByRole('textbox', { name: 'Credits' }).fill('5');
      await end.fill('');
      await end.focus();
      await page.keyboard.type(typed);
      await send.click();
      await refused(end, 'Enter a whole day and time of the calendar.');
    }
    for (const year of ['0026', '12026']) {
      await end.fill(`${year}-02-27T10:00`);
      await send.click();
      await refused(end, 'Choose a year from 1970 to 9999.');
    }
    const granted = async () => (await operator.get(`/api/customers/${id}/credits`)).body['data'];
    expect(await granted()).toEqual([]);
    await end.fill('2099-02-27T10:00');
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await granted()).toMatchObject([{ amount: 5, expiresAt: '2099-02-27T09:00:00.000Z' }]);
  });

  test('a percentage is read as typed, or refused at its field', async () => {
    const page = await browser.openAs(operator, '/settings');
    const field = page.getByRole('combobox', { name: /^Alerts at/ });
    const save = page.getByRole('button', { name: 'Save settings' });
    for (const [typed, problem] of [
      ['1e1', 'Enter a whole number such as 1500, without separators.'],
      ['0x10', 'Enter a whole number such as 1500, without separators.'],
      ['１０', 'Enter a whole number such as 1500, without separators.'],
      ['12.5', 'Enter a whole number.'],
      ['0', 'No less than 1.'],
      ['1001', 'No more than 1000.'],
    ] as const) {
      await field.fill(typed);
      await field.press('Enter');
      await save.click();
      await refused(field, `${typed}: ${problem}`);
      await field.press('Backspace');
    }
    await field.fill('50');
    await field.press('Enter');
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await operator.get('/api/billing/settings');
    expect(body).toMatchObject({ usageAlertPercents: [80, 100, 50] });
  });

  test('a plan’s currency that is not in use is refused at its field, and what the API refuses of the price at its fields', async () => {
    const page = await browser.openAs(operator, '/catalogue');
    await page.getByRole('button', { name: 'New plan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New plan' });
    const [price, currency] = [dialog.getByLabel('Price'), dialog.getByLabel('Currency')];
    const create = dialog.getByRole('button', { name: 'Create plan' });
    await dialog.getByRole('combobox', { name: 'Plan group' }).click();
    await page.getByRole('option', { name: 'Plans' }).click();
    await dialog.getByLabel('Name').fill('Dinar');
    await dialog.getByLabel('Slug').fill('dinar');
    await price.fill('1.505');
    await currency.fill('xyz');
    await create.click();
    await refused(currency, 'Enter the code of a currency in use, such as USD.');
    expect(await price.getAttribute('aria-invalid')).toBeNull();
    await currency.fill('jpy');
    expect(await price.getAttribute('placeholder')).toBe('2900');
    await create.click();
    await refused(price, 'JPY has no digits after the point.');
    await currency.fill('kwd');
    await refuseNext(page, '**/api/plans?*', ['/price/amount', '/price/currency']);
    await create.click();
    await refused(price, 'Is wrong at /price/amount. Correct it.');
    await page.getByText('Is wrong at /price/currency. Correct it.', { exact: true }).waitFor();
    await create.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Dinar.*KWD\s1\.505\/month/ }).waitFor();
  });

  test('what is typed for a metered feature does not hold up a boolean one', async () => {
    await operator.post('/api/features', { body: { key: 'exports', name: 'Exports', kind: 'boolean' } });
    await operator.post('/api/features', { body: { key: 'files', name: 'Files', kind: 'metered' } });
    const [plan] = (await operator.get('/api/plans', { query: { search: 'small' } })).body['data'] as {
      id: string;
    }[];
    const page = await browser.openAs(operator, `/catalogue/plans/${plan?.id ?? ''}`);
    await page.getByRole('button', { name: 'Add a feature' }).click();
    const dialog = page.getByRole('dialog');
    const feature = dialog.getByRole('combobox', { name: 'Feature' });
    await feature.click();
    await page.getByRole('option', { name: /Files/ }).click();
    await dialog.getByLabel('Quota of each entity').fill('1,5');
    await feature.fill('exp');
    await page.getByRole('option', { name: /Exports/ }).click();
    await dialog.getByLabel('Quota of each entity').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Add to the plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Exports exports' }).waitFor();
  });

  test('what is wrong with no field of a long dialog is scrolled into view, with the button', async () => {
    const page = await browser.openAs(operator, '/catalogue');
    await page.getByRole('link', { name: 'Small' }).click();
    await page.getByRole('button', { name: /^Change .*AI tokens/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quota', { exact: true }).fill('5');
    await refuseNext(page, '**/entitlements/*', ['/elsewhere']);
    await dialog.getByLabel('Quota', { exact: true }).press('Enter');
    await dialog.getByText('is wrong at /elsewhere').waitFor();
    const isInView = `['[role=dialog] [role=alert]', '[role=dialog] button[type=submit]'].map((selector) => {
      const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
      const frame = document.querySelector('[role=dialog]').getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom;
    })`;
    expect(await page.evaluate<boolean[]>(isInView)).toEqual([true, true]);
  });

  test('a dimension that the API refuses is refused at its field', async () => {
    const page = await browser.openAs(operator, '/catalogue');
    await page.getByRole('button', { name: 'New feature' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Tokens');
    await dialog.getByLabel('Key').fill('tokens');
    const dimensions = dialog.getByRole('combobox', { name: 'Dimensions' });
    await dimensions.fill('m'.repeat(65));
    await dimensions.press('Enter');
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await refused(dimensions, 'Has more than 64 characters. Send at most 64 characters.');
  });

  test('an address at the sign-in and the password of an invitation are refused at their fields', async () => {
    const page = await browser.open('/sign-in');
    await page.getByLabel('Email address').fill('jo');
    await page.getByLabel('Password', { exact: true }).fill('a password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await refused(page.getByLabel('Email address'), 'Enter an address such as jo@example.com.');
    const members = `/api/organizations/${operator.workspaceId}/members`;
    const { body } = await operator.post(members, {
      env: null,
      body: { email: 'new@example.test', role: 'viewer' },
    });
    await page.goto(browser.url + addressOf(body['link']));
    await page.getByLabel('Your name').fill('N'.repeat(201));
    await page.getByLabel('A password').fill('short');
    const join = page.getByRole('button', { name: 'Create the account and join' });
    await join.click();
    await refused(page.getByLabel('A password'), 'At least 12 characters.');
    await page.getByLabel('A password').fill('long enough for all');
    await join.click();
    await refused(page.getByLabel('Your name'), 'Has more than 200 characters. Send at most 200 characters.');
  });
});
