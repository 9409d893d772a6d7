import { createCustomer, createPlan, idOf, unique } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { until } from '../support/until';
import { type ConsoleBrowser, DRAWN, inBrowser } from './browser';
import { hold } from './hold';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('input before an answer has come (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ service, browser, operator } = started);
  });

  test('a press is not lost by an answer that moves what is pressed', async () => {
    const { id } = await createCustomer(operator);
    const page = await browser.openAs(operator, '');
    const release = await hold(page, '**/credits?*', 'GET');
    await page.goto(`${page.url()}/customers/${id}`);
    const button = page.getByRole('button', { name: 'Erase the customer' });
    await button.hover();
    const before = await button.boundingBox();
    await page.mouse.down();
    const answer = page.waitForResponse('**/credits?*');
    release();
    await (await answer).finished();
    await page.evaluate(DRAWN);
    await page.mouse.up();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click();
    await until(async () => (await button.boundingBox())?.y !== before?.y);
  });

  test('the buttons of a dialog stay in their place when the number of subscriptions becomes known', async () => {
    const planId = await createPlan(operator);
    const page = await browser.openAs(operator, '');
    const release = await hold(page, '**/api/billing/subscriptions?*', 'GET');
    await page.goto(`${page.url()}/catalogue/plans/${planId}`);
    await page.getByRole('button', { name: 'Edit plan' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Save plan' });
    await page.evaluate(DRAWN);
    const before = await button.boundingBox();
    release();
    await page.getByText('0 active subscriptions use this.').waitFor();
    await page.evaluate(DRAWN);
    expect(await button.boundingBox()).toEqual(before);
  });

  test('input in the settings while others are saved is kept, and saved next', async () => {
    const page = await browser.openAs(operator, '/settings');
    const [grace, approval] = ['Grace, days', 'Approval, days'].map((name) =>
      page.getByRole('textbox', { name }),
    );
    const release = await hold(page, '**/api/billing/settings*', 'PATCH');
    const save = page.getByRole('button', { name: 'Save settings' });
    await grace?.fill('12');
    await save.click();
    await page.locator('button[aria-busy=true]').waitFor();
    // The test browsers prefer reduced motion.
    const spinner = "document.querySelector('button[aria-busy=true] .mantine-Loader-root')";
    const motion = `getComputedStyle(${spinner}, '::after').animationName`;
    expect(await page.evaluate<string>(motion)).toBe('fade');
    await approval?.fill('13');
    release();
    await page.getByText('The settings are saved.').waitFor();
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    expect([await grace?.inputValue(), await approval?.inputValue()]).toEqual(['12', '13']);
    const settings = async () => (await operator.get('/api/billing/settings')).body;
    expect(await settings()).not.toMatchObject({ approvalDays: 13 });
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await save.click();
    await saved;
    expect(await settings()).toMatchObject({ graceDays: 12, approvalDays: 13 });
  });

  test('the next invitation can be typed while one is being made', async () => {
    const page = await browser.openAs(operator, '/members');
    const field = page.getByLabel('Email address');
    const release = await hold(page, `**/api/organizations/${operator.workspaceId}/members*`, 'POST');
    await field.fill('first@example.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    await field.fill('second@example.test');
    release();
    await page.getByText('Pass this link on to first@example.test').waitFor();
    expect(await field.inputValue()).toBe('second@example.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Pass this link on to second@example.test').waitFor();
    expect(await field.inputValue()).toBe('');
    // Neither link is shown again, so each stays until it is passed on, and the page asks before it is left.
    await page.getByText('Pass this link on to first@example.test').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    const passedOn = page.getByRole('button', { name: 'I have passed the link on' });
    await passedOn.first().click();
    await page.getByText('Pass this link on to second@example.test').waitFor({ state: 'detached' });
    await passedOn.click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL(/\/settings$/);
  });

  test('a chosen role is shown while it is granted, and is granted once', async () => {
    const { workspaceId } = operator;
    const { email } = await logIn(service, { role: 'developer', workspaceId });
    const page = await browser.openAs(operator, '/members');
    let sent = 0;
    page.on('request', (request) => (sent += request.method() === 'PATCH' ? 1 : 0));
    const release = await hold(page, `**/api/organizations/${workspaceId}/members/**`, 'PATCH');
    const role = page.getByRole('combobox', { name: `Role of ${email}` });
    await role.click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await page.locator('input[aria-busy=true]').waitFor();
    expect(await role.inputValue()).toBe('viewer');
    await role.click();
    expect(await page.getByRole('option').count()).toBe(0);
    release();
    await page.locator('input[aria-busy=true]').waitFor({ state: 'detached' });
    expect([await role.inputValue(), sent]).toEqual(['viewer', 1]);
  });

  test('each panel of the home page and each list of the account shows that it is loading', async () => {
    const page = await browser.openAs(operator, '/customers');
    const releases = [
      await hold(page, '**/api/overview*', 'GET'),
      await hold(page, '**/api/billing/due*', 'GET'),
      await hold(page, '**/api/developer-events*', 'GET'),
      await hold(page, '**/api/auth/sessions*', 'GET'),
      await hold(page, '**/api/auth/second-factor*', 'GET'),
    ];
    const loading = async (...names: string[]) => {
      for (const name of names) await page.getByLabel(`Loading ${name}`).waitFor();
    };
    await page.getByRole('link', { name: 'Home' }).click();
    await loading('what needs a person', 'the processes', 'what falls due', 'the last events');
    await page.goto(`${browser.url}/account`);
    await loading('the second factor', 'sessions');
    for (const release of releases) release();
    await page.locator('[aria-label^="Loading"]').first().waitFor({ state: 'detached' });
  });

  test('a plan is not said to be missing at a provider before its connections are read', async () => {
    const slug = unique('mapped');
    const planId = await createPlan(operator, { slug });
    const settings = { planReferences: { [slug]: 'P-MAPPED' } };
    const connection = { provider: 'provider_b', displayName: 'B', settings };
    idOf(await operator.post('/api/provider-connections', { body: connection }));
    const page = await browser.openAs(operator, '/catalogue');
    const release = await hold(page, '**/api/provider-connections?*', 'GET');
    await page.goto(page.url() + `/plans/${planId}`);
    await page.getByRole('progressbar', { name: 'Loading the connections' }).waitFor();
    expect(await page.getByText('missing: not sold there').count()).toBe(0);
    await page.getByText('The connections are not read yet.').waitFor();
    release();
    await page.getByText('mapped: P-MAPPED').waitFor();
  });

  test('the filters of decisions can be typed with pauses, and follow a link', async () => {
    const page = await browser.openAs(operator, '/decisions');
    const field = page.getByLabel('Decision, request or customer');
    await field.fill('acct');
    await page.getByText('None is found').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type('_1');
    await page.waitForURL(/id=acct_1$/);
    expect(await field.inputValue()).toBe('acct_1');
    // Navigates as a link on the page does.
    await page.getByLabel('Decided before').focus();
    await page.evaluate("history.pushState({}, '', '?id=acct_2')");
    await until(async () => (await field.inputValue()) === 'acct_2');
  });

  test('the field above a list has what narrows it, also where a link of the page leads to the whole list', async () => {
    const page = await browser.openAs(operator, '/customers?search=nobody');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    for (const [link, label, address] of [
      ['Customers', 'Search customers', '/customers?search=nobody'],
      ['Subscriptions', 'External id of the customer', '/subscriptions?externalId=nobody'],
      ['Live events', 'Search messages and sources', '/events?search=nobody'],
    ] as const) {
      await page.goto(page.url().replace(/\/sandbox.*/, `/sandbox${address}`));
      const field = page.getByLabel(label);
      await until(async () => (await field.inputValue()) === 'nobody');
      await pages.getByRole('link', { name: link }).click();
      await page.waitForURL(/\/sandbox\/\w+$/);
      await until(async () => (await field.inputValue()) === '');
      await page.goBack();
      await until(async () => (await field.inputValue()) === 'nobody');
    }
    // Times, too, and the field that has the focus.
    await pages.getByRole('link', { name: 'Decisions' }).click();
    await page.getByLabel('Decided before').fill('2026-11-20T12:00');
    await page.getByLabel('Decision, request or customer').fill('nobody');
    await page.waitForURL(/id=nobody/);
    await pages.getByRole('link', { name: 'Decisions' }).click();
    await until(async () => (await page.getByLabel('Decided before').inputValue()) === '');
    await page.getByLabel('Decision, request or customer').focus();
    await page.goBack();
    await until(
      async () => (await page.getByLabel('Decision, request or customer').inputValue()) === 'nobody',
    );
    expect(await page.getByLabel('Decided before').inputValue()).toBe('2026-11-20T12:00');
    await pages.getByRole('link', { name: 'Live events' }).click();
    // The page of the list stays until the next one is loaded, longer than typing pauses.
    await page.route('**/assets/SettingsPage*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    });
    await page.getByLabel('Search messages and sources').fill('typed');
    await pages.getByRole('link', { name: 'Settings' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('a second click that comes before anything else rolls no key twice', async () => {
    expect((await operator.post('/api/api-keys', { body: { name: 'Shop' } })).status).toBe(201);
    const page = await browser.openAs(operator, '/developer/api-keys');
    await page.getByRole('row', { name: 'Shop' }).getByRole('button', { name: 'Roll' }).click();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1;
    });
    // Simulates a click that is queued while the page handles the first one: it runs before any timer set by the first.
    await page.getByRole('button', { name: 'Make the new key' }).evaluate((element) => {
      const button = element as unknown as { click: () => void };
      setTimeout(() => {
        button.click();
      });
      button.click();
    });
    await page.locator('[data-secret]').waitFor();
    expect(sent).toBe(1);
  });
});
