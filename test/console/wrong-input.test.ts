import { createCustomer } from '../catalog/offer';
import { logInAs, testPassword, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('forms with wrong input and a bad connection (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole(
    { commands: 'direct', role: 'admin', provoked: ['net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED'] },
    async (started) => {
      ({ service, browser, operator } = started);
      await sellTwoPlans(operator);
    },
  );

  const granted = async (id: string) =>
    ((await operator.get(`/api/customers/${id}/credits`)).body['data'] as { amount: number }[]).map(
      ({ amount }) => amount,
    );
  async function openGrant() {
    const { id } = await createCustomer(operator);
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog', { name: /^Grant credits to/ });
    const field = dialog.getByRole('textbox', { name: 'Credits' });
    await field.waitFor();
    return { id, page, dialog, field, send: dialog.getByRole('button', { name: 'Grant credits' }) };
  }

  test('spaces around a pasted external id are no part of it', async () => {
    const page = await browser.openAs(operator, '/customers');
    await page.getByRole('button', { name: 'New customer' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('External id').fill(' acct_pasted\t');
    await dialog.getByLabel('Email').fill(' pasted@example.com ');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    const found = await operator.get('/api/customers', { query: { search: 'acct_pasted' } });
    expect(found.body['data']).toMatchObject([
      { externalId: 'acct_pasted', email: 'pasted@example.com', name: null },
    ]);
    await page.goto(page.url().replace(/\/customers.*/, '/subscriptions'));
    await page.getByRole('button', { name: 'New subscription' }).first().click();
    await dialog.getByLabel('Customer').fill(' acct_pasted ');
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Small/ }).click();
    await dialog.getByRole('button', { name: 'Start subscription' }).click();
    await page.getByRole('heading', { level: 1, name: /acct_pasted/ }).waitFor();
  });

  test('a number is read as typed or pasted, or refused at its field, which keeps it', async () => {
    const { id, page, dialog, field, send } = await openGrant();
    for (const [typed, problem] of [
      ['1.234,56', 'Enter a number such as 1500 or 0.5, without separators.'],
      ['1e5', 'Enter a number such as 1500 or 0.5, without separators.'],
      ['9007199254740993', 'It has too many digits to be counted exactly.'],
      ['-5', 'No less than 0.'],
      ['5 😀', 'Enter a number such as 1500 or 0.5, without separators.'],
      ['0.1234567', 'No more than 6 digits after the point.'],
    ] as const) {
      await field.fill('');
      // Inserted as if pasted from the clipboard.
      await page.keyboard.insertText(typed);
      await send.click();
      await dialog.getByText(problem).waitFor();
      expect(await field.inputValue()).toBe(typed);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await granted(id)).toEqual([]);
    await field.fill('0.000125');
    await send.click();
    await page.getByText('0.000125 can be spent now.').waitFor();
    expect(await granted(id)).toEqual([0.000125]);
  });

  test('Escape closes the search above a dialog, and not the dialog with what is typed', async () => {
    const { page, dialog, field } = await openGrant();
    await field.fill('12');
    await field.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.press('Escape');
    await search.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('12');
    await field.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a slug, a key and an email address are refused at their fields, in the page’s words', async () => {
    const page = await browser.openAs(operator, '/catalogue');
    const dialog = page.getByRole('dialog');
    const refused = 'Use lower-case letters and digits, joined by single hyphens';
    await page.getByRole('button', { name: 'New plan group' }).click();
    await dialog.getByLabel('Name').fill('Pro plans');
    await dialog.getByLabel('Slug').fill('Pro plans');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await dialog.getByText(`${refused} or underscores.`).waitFor();
    await dialog.getByLabel('Slug').fill(' pro-plans ');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'pro-plans', exact: true }).waitFor();

    await page.getByRole('button', { name: 'New feature' }).click();
    await dialog.getByLabel('Name').fill('Exports');
    await dialog.getByLabel('Key').fill('Exports!');
    await dialog.getByLabel('Unit').fill('file');
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await dialog.getByText(`${refused}, underscores or points.`).waitFor();
    await dialog.getByLabel('Key').fill('exports');
    // Nothing is counted of it, so the unit is neither asked for nor sent.
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: /^Boolean/ }).click();
    await dialog.getByLabel('Unit').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await dialog.waitFor({ state: 'detached' });
    const features = await operator.get('/api/features', { query: { search: 'exports' } });
    expect(features.body['data']).toMatchObject([{ key: 'exports', kind: 'boolean', unit: null }]);

    await page.goto(page.url().replace(/catalogue.*/, 'customers'));
    await page.getByRole('button', { name: 'New customer' }).first().click();
    await dialog.getByLabel('External id').fill('acct_wrong');
    await dialog.getByLabel('Name').fill('W'.repeat(201));
    await dialog.getByLabel('Email').fill('jo');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('Enter an address such as jo@example.com.').waitFor();
    await dialog.getByLabel('Email').fill('');
    provoke(400);
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog
      .getByText('Has more than 200 characters. Send at most 200 characters.', { exact: true })
      .waitFor();
    await dialog.getByText('What was sent is not valid').waitFor();
  });

  test('a currency is taken in small letters, and one that is not in use is refused at its field, as a time zone is', async () => {
    const page = await browser.openAs(operator, '/settings');
    const save = page.getByRole('button', { name: 'Save settings' });
    await page.getByLabel('Default currency').fill('xyz');
    await save.click();
    await page.getByText('Enter the code of a currency in use, such as USD.').waitFor();
    await page.getByLabel('Default currency').fill('eur');
    await page.getByLabel('Time zone').fill('Europe/Nowhere');
    await save.click();
    await page.getByText('Enter the name of a time zone, such as Europe/Berlin.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Time zone').fill('Europe/Oslo');
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await operator.get('/api/billing/settings');
    expect(body).toMatchObject({ defaultCurrency: 'EUR', timeZone: 'Europe/Oslo' });
  });

  test('a logo that is too large is refused at its field, and the form can still be saved', async () => {
    const page = await browser.openAs(operator, '/settings');
    const file = page.locator('input[type=file]');
    const logo = (bytes: number) => ({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(bytes, 1),
    });
    await file.setInputFiles(logo(200_000));
    const tooLarge = page.getByText('The image is larger than 32 KB');
    await tooLarge.waitFor();
    // A screen reader reads the group with its buttons.
    const group = await page.getByRole('group', { name: 'Logo' }).getAttribute('aria-describedby');
    expect(group?.split(' ')).toContain(await tooLarge.getAttribute('id'));
    // The focus is on a button by then, and not in a field that the error describes.
    expect(await page.getByRole('alert').textContent()).toContain('The image is larger than 32 KB');
    // The browser reports a file that is chosen again only if the field has forgotten it.
    expect(await file.inputValue()).toBe('');
    await file.setInputFiles(logo(200));
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Choose');
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByRole('button', { name: 'Save the page' }).click();
    await page.getByText('The customer’s page is saved.').waitFor();
    expect((await operator.get('/api/billing/portal')).body).toMatchObject({ name: 'Shop', logo: null });
  });

  test('a time that the clocks skip is refused, not moved', async () => {
    const { id, dialog, field, send } = await openGrant();
    await field.fill('5');
    await dialog.getByLabel('End').fill('2099-03-29T02:30');
    await send.click();
    await dialog.getByText('The clocks skip this time on that day: choose another.').waitFor();
    expect(await granted(id)).toEqual([]);
  });

  test('a dialog stays while its request is sent, Enter twice sends one, and a click outside discards nothing', async () => {
    const { id, page, dialog, field } = await openGrant();
    await field.fill('7');
    await page.mouse.click(5, 5);
    expect(await field.inputValue()).toBe('7');
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/credits?*', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await field.press('Enter');
    await field.press('Enter');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await field.inputValue()).toBe('7');
    // Credits decide what the customer may use.
    const entitlements = page.waitForResponse('**/entitlements?*');
    goOn();
    await entitlements;
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('7 can be spent now.').waitFor();
    expect(await granted(id)).toEqual([7]);
  });

  test('a second click on what revokes an invitation or ends a session does nothing', async () => {
    const members = `/api/organizations/${operator.workspaceId}/members`;
    await operator.post(members, { env: null, body: { email: 'late@example.test', role: 'viewer' } });
    await logInAs(service.urls.console, operator.email, testPassword);
    for (const [name, path] of [
      ['Revoke', '/members'],
      ['End the session', '/account'],
    ] as const) {
      const page = await browser.openAs(operator, path === '/members' ? path : '');
      if (path === '/account') await page.goto(browser.url + path);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'DELETE') sent.push(request.url());
      });
      const button = page.getByRole('button', { name });
      await button.dblclick();
      await button.waitFor({ state: 'detached' });
      expect(sent).toHaveLength(1);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });

  test('the link of an invitation that is revoked is not shown any longer', async () => {
    const page = await browser.openAs(operator, '/members');
    await page.getByLabel('Email address').fill('wrong@example.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = page.getByText('Pass this link on to wrong@example.test');
    await link.waitFor();
    await page
      .getByRole('row', { name: 'wrong@example.test' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await link.waitFor({ state: 'detached' });
  });

  test('without a connection it is said, nothing is lost, and nothing is sent later by itself', async () => {
    const { id, page, dialog, field, send } = await openGrant();
    await field.fill('9');
    await page.context().setOffline(true);
    await send.click();
    await dialog.getByText('The service cannot be reached').waitFor();
    expect(await field.inputValue()).toBe('9');
    await page.context().setOffline(false);
    expect(await granted(id)).toEqual([]);
    await send.click();
    await page.getByText('9 can be spent now.').waitFor();
    expect(await granted(id)).toEqual([9]);
  });

  test('a failed sign-out is reported', async () => {
    const page = await browser.signIn(operator.email);
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    provoke(503);
    const json = {
      type: 'about:blank',
      title: 'The service is overloaded.',
      status: 503,
      detail: 'Nothing was done.',
      code: 'service_busy',
      fix: 'Send the `Origin` again.',
      requestId: 'req_1',
    };
    await page.route('**/api/auth/logout', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', json }),
    );
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Nothing was done. Send the Origin again.').waitFor();
  });

  test('an address that does not exist keeps the navigation of its workspace', async () => {
    const page = await browser.openAs(operator, '/nowhere/at-all');
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    expect(await page.title()).toBe('There is no such page · Tollgate');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'To Home' }).click();
    await page.getByRole('heading', { level: 1, name: /sandbox$/ }).waitFor();
  });

  test('an address may hold an external id of digits, and a tab that does not exist', async () => {
    for (const externalId of ['42', '12345678901234567890', '1e3', 'true'])
      await operator.post('/api/customers', { body: { externalId } });
    const page = await browser.openAs(operator, '/customers?search=42');
    await page.getByRole('link', { name: '42', exact: true }).waitFor();
    for (const externalId of ['12345678901234567890', '1e3', 'true']) {
      await page.getByLabel('Search customers').fill(externalId);
      await page.getByRole('link', { name: externalId, exact: true }).waitFor();
      await page.getByText('That is the only one.').waitFor();
      await page.goto(page.url().replace(/\?.*/, `?search=${externalId}`));
      await page.getByRole('link', { name: externalId, exact: true }).waitFor();
      expect(await page.getByLabel('Search customers').inputValue()).toBe(externalId);
      await page.getByText('That is the only one.').waitFor();
    }
    await page.goto(page.url().replace(/customers.*/, 'payments?tab=nowhere'));
    await page.getByRole('tab', { name: 'Payments', selected: true }).waitFor();
    await page.goto(page.url().replace(/payments.*/, 'decisions?id=42&before=yesterday'));
    await page.getByText('None is found').waitFor();
    // An external id whose first word every object has as a member is none of the kinds of ids.
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByPlaceholder('An id, an external id, or a page').fill('constructor_1');
    await page.getByText(/^Nothing found/).waitFor();
    const elsewhere = await browser.open('/sign-in?next=//elsewhere.example/');
    await elsewhere.getByLabel('Email address').fill(operator.email);
    await elsewhere.getByLabel('Password', { exact: true }).fill(testPassword);
    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await elsewhere.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  });
});
