import type { Page } from 'playwright-core';
import { createClient, createOperator, logInAs, testPassword } from '../support/operator';
import type { TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { type ConsoleBrowser, inBrowser } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('an empty workspace, by clicks only (skipped without CHROMIUM_PATH, which npm test sets)', () => {
  const provoke = useConsole({}, (started) => {
    ({ service, browser } = started);
  });

  test('from the checklist to the first recorded use', async () => {
    const { workspaceId } = await createWorkspace(service.database);
    await service.database.query('DELETE FROM tollgate.api_keys WHERE workspace_id = $1', [workspaceId]);
    const { email } = await createOperator(service.database, { workspaceId, role: 'owner' });
    const page = await browser.signIn(email);
    await page.getByText('0 of 9 done').waitFor();

    await page.getByRole('link', { name: 'Make a plan group' }).click();
    await fill(page, 'New plan group', { Name: 'Plans', Slug: 'plans' }, 'Create group');
    await page.getByRole('cell', { name: 'plans', exact: true }).waitFor();

    await page.getByRole('button', { name: 'New plan', exact: true }).click();
    const plan = page.getByRole('dialog', { name: 'New plan' });
    await choose(page, 'Plan group', 'Plans');
    await plan.getByLabel('Name').fill('Pro');
    await plan.getByLabel('Slug').fill('pro');
    await plan.getByLabel('Price').fill('29.00');
    // Without a currency the price is taken once the workspace's own is known.
    await plan.getByPlaceholder('USD', { exact: true }).waitFor();
    await plan.getByRole('button', { name: 'Create plan' }).click();
    await page.getByText('$29.00').waitFor();

    await fill(page, 'New feature', { Name: 'AI tokens', Key: 'ai_tokens' }, 'Create feature');
    await page.getByRole('cell', { name: 'ai_tokens' }).waitFor();

    await page.getByRole('link', { name: 'Pro', exact: true }).click();
    await page.getByRole('button', { name: 'Add a feature' }).click();
    await choose(page, 'Feature', /AI tokens.*ai_tokens/);
    await page.getByRole('button', { name: 'Add to the plan' }).click();
    await page.getByRole('cell', { name: '1,000' }).waitFor();

    await page.getByRole('link', { name: 'Customers' }).click();
    await fill(page, 'New customer', { 'External id': 'acct_1' }, 'Create customer');
    await page.getByRole('heading', { name: 'acct_1' }).waitFor();

    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('button', { name: 'New subscription' }).click();
    await page.getByRole('dialog').getByLabel('Customer').fill('acct_1');
    await choose(page, 'Plan', /Pro.*\$29\.00\/month/);
    await page.getByRole('button', { name: 'Start subscription' }).click();
    await page.getByRole('heading', { name: /Pro.* for .*acct_1/ }).waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await fill(page, 'New key', { Name: 'the first server' }, 'Create key');
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    expect(secret).toMatch(/^svc_test_/);
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`svc_test_…${secret.slice(-4)}`).waitFor();

    await use(secret);
    await page.getByRole('link', { name: 'Live events' }).click();
    await page
      .getByText(/acct_1/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    // All nine steps are done, so the checklist disappears.
    await page.getByText('of 9 done').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
  });

  test('a viewer is shown what they may not do, with the reason', async () => {
    const { workspaceId } = await createWorkspace(service.database);
    const { email } = await createOperator(service.database, { workspaceId, role: 'viewer' });
    const page = await browser.signIn(email);
    await page.getByRole('link', { name: 'API keys' }).click();
    const button = page.getByRole('button', { name: 'New key' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('This needs the role developer, and you are viewer.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByText('There are no customers yet').waitFor();
    const create = page.getByRole('button', { name: 'New customer' });
    const reason =
      'This needs the role developer, and you are viewer. An admin of the organization can change it.';
    expect(await create.count()).toBe(2);
    for (const offered of await create.all()) {
      // A disabled button could not be reached by keyboard.
      expect(await offered.getAttribute('disabled')).toBeNull();
      expect(await offered.getAttribute('aria-disabled')).toBe('true');
      const described = await offered.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${described ?? ''}"]`).textContent()).toBe(reason);
    }
  });

  test('a wrong password is reported, and the input is kept', async () => {
    const { email } = await createOperator(service.database, {});
    const page = await browser.open();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    provoke(401);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe(email);
  });

  test('a session that ends elsewhere leads to the sign-in, and back to the place', async () => {
    const { workspaceId } = await createWorkspace(service.database);
    const { operatorId, email } = await createOperator(service.database, { workspaceId, role: 'owner' });
    const page = await browser.signIn(email);
    await page.getByRole('link', { name: 'Catalogue' }).click();
    const cookie = await logInAs(service.urls.console, email, testPassword);
    const operator = createClient(service.urls.console, { operatorId, email, workspaceId, cookie });
    const sessions = (await operator.get('/api/auth/sessions', { env: null })).body['data'] as {
      id: string;
      current: boolean;
    }[];
    for (const { id } of sessions.filter(({ current }) => !current))
      await operator.delete(`/api/auth/sessions/${id}`, { env: null });
    provoke(401);
    // The page may notice on its own before the click: then the link is gone.
    await page
      .getByRole('link', { name: 'Customers' })
      .evaluateAll((links) => (links as unknown as { click: () => void }[])[0]?.click());
    await page.waitForURL(/sign-in\?next=/);
    const next = new URL(page.url()).searchParams.get('next') ?? '';
    expect(next).toMatch(/\/(?:catalogue|customers)$/);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(({ pathname }) => pathname === next);
  });
});

/** Opens a form with its button, fills it in and submits it. */
async function fill(page: Page, name: string, fields: Record<string, string>, submit: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).first().fill(value);
  await dialog.getByRole('button', { name: submit }).click();
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Sends a check and a track, as an integrator's server does. */
async function use(secret: string): Promise<void> {
  for (const call of ['check', 'track']) {
    const answer = await fetch(`${service.urls.sandbox}/v1/usage/${call}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': call,
      },
      body: JSON.stringify({ externalId: 'acct_1', feature: 'ai_tokens', quantity: 5 }),
    });
    expect(answer.status).toBe(200);
  }
}
