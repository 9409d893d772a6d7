import { Integrator } from '../support/integrator';
import { createOperator } from '../support/operator';
import type { TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('API keys (skipped without CHROMIUM_PATH, which npm test sets)', () => {
  const provoke = useConsole({}, (started) => {
    ({ service, browser } = started);
  });

  test('are made with scopes and rolled, and what they do is audited by their name', async () => {
    const { workspaceId } = await createWorkspace(service.database);
    await service.database.query('DELETE FROM tollgate.api_keys WHERE workspace_id = $1', [workspaceId]);
    const { email } = await createOperator(service.database, { workspaceId, role: 'admin' });
    const page = await browser.signIn(email);
    const shownOnce = async (): Promise<string> => {
      const secret = (await page.locator('[data-secret]').textContent()) ?? '';
      await page.getByLabel('I have stored the key').check();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText(`svc_test_…${secret.slice(-4)}`).waitFor();
      return secret;
    };
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    const put = (secret: string, name: string) =>
      new Integrator(service.urls.sandbox, secret).send('PUT', '/v1/customers/buyer', { name });

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill(' Shop ');
    for (const scope of ['usage', 'events']) await page.getByRole('checkbox', { name: scope }).uncheck();
    await page.getByRole('checkbox', { name: 'customers' }).uncheck();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Choose what it may do.').waitFor();
    for (const scope of ['customers', 'subscriptions'])
      await page.getByRole('checkbox', { name: scope }).check();
    await keepScreenshot(page, 'api-key-scopes');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await shownOnce();
    expect(await focused()).toBe('New key');
    await page.getByRole('cell', { name: 'customers, subscriptions' }).waitFor();
    expect((await put(secret, 'First')).status).toBe(201);

    await page.getByRole('button', { name: 'Roll' }).click();
    await page.getByLabel('Hours the old key keeps working').fill('2');
    // A click outside does not discard what is typed.
    await page.mouse.click(5, 300);
    await page.getByRole('button', { name: 'Make the new key' }).click();
    const rolled = await shownOnce();
    expect(await focused()).toBe('Roll');
    expect(await page.getByRole('cell', { name: 'customers, subscriptions' }).count()).toBe(2);
    expect([(await put(secret, 'Second')).status, (await put(rolled, 'Third')).status]).toEqual([200, 200]);

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('cell', { name: `the key Shop …${rolled.slice(-4)}` }).waitFor();
    const origins = page.getByRole('combobox', { name: 'Where checkouts may return to' });
    await origins.fill('https://app.example.com/path');
    await origins.press('Enter');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page
      .getByText(/is not an origin such as/)
      .first()
      .waitFor();
    await origins.press('Backspace');
    await origins.fill('https://app.example.com');
    await origins.press('Enter');
    await keepScreenshot(page, 'settings-origins');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const [row] = await service.database.query<{ origins: string[] }>(
      `SELECT return_origins AS origins FROM tollgate.workspace_settings
        WHERE workspace_id = $1 AND environment = 'sandbox'`,
      [workspaceId],
    );
    expect(row?.origins).toEqual(['https://app.example.com']);
    // The browser reports the refused origin.
    provoke(400);
  });
});
