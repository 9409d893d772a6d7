import type { Page } from 'playwright-core';
import { fakeSecret, stored } from '../connections/connection-calls';
import { logIn } from '../support/operator';
import { ProviderWorld } from '../support/provider-world';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsoleOf } from './use-console';

let world: ProviderWorld;
let browser: ConsoleBrowser;

inBrowser('provider connections (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsoleOf(
    () => ProviderWorld.start(),
    (...started) => {
      [world, browser] = started;
    },
  );

  async function open(operator = world.operator): Promise<Page> {
    const page = await browser.openAs(operator, '/connections');
    await page.getByRole('heading', { level: 1, name: 'Provider connections' }).waitFor();
    return page;
  }
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('dialog').getByRole('button', { name }).click();

  /** Returns the requests that the page shows as curl. */
  async function sentAsCurl(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Show as curl' }).click();
    const dialog = page.getByRole('dialog', { name: /as curl/ });
    const text = (await dialog.textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    return text;
  }

  test('all are shown, however many pages of the list they are', async () => {
    const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') };
    for (const displayName of ['First of more', 'Second of more'])
      await world.operator.post('/api/provider-connections', {
        body: { provider: 'provider_a', displayName, secrets },
      });
    const page = await browser.openAs(world.operator, '/settings');
    await page.route('**/api/provider-connections?*', (route) =>
      route.continue({ url: route.request().url().replace('take=200', 'take=1') }),
    );
    await page
      .getByRole('link', { name: /connections/i })
      .first()
      .click();
    await page.getByText('Second of more').waitFor();
    await page.getByText('First of more').waitFor();
  });

  test('one is made, tested, edited and disabled, and its secrets leave the page only once', async () => {
    const secretKey = fakeSecret('sk_test_');
    const account = world.simulators.providers.a.account({ secretKey });
    account.price({ id: 'price_dearer', unitAmount: 3_500, currency: 'usd', interval: 'month' });
    const page = await open();
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    await press(page, 'Next');
    await dialog.getByText('Fill this in.').waitFor();
    await dialog.getByLabel('Name').fill('Second account');
    await dialog.getByText('Sandbox secrets cannot be copied to production').waitFor();
    await press(page, 'Next');
    await dialog.getByRole('textbox', { name: 'Secret key' }).fill(`${secretKey}\n`);
    const current = dialog.locator('[aria-current=step]');
    expect(await current.textContent()).toContain('Credentials');
    await press(page, 'Next');
    await dialog.getByLabel('Merchant ID').fill('merchant-1');
    expect(await current.textContent()).toContain('Settings');
    await press(page, 'Add a plan');
    await press(page, 'Add a plan');
    await dialog.getByRole('button', { name: 'Remove plan 2' }).press('Enter');
    await page.locator('[role=dialog]:focus').waitFor();
    await dialog.getByRole('combobox', { name: 'Plan 1' }).click();
    await page.getByRole('option', { name: /\(pro\), \$30\.00\/month/ }).click();
    await dialog.getByLabel('Price ID of plan 1').fill('price_dearer');
    await keepScreenshot(page, 'connection-settings');
    await press(page, 'Create connection');
    // The price differs: the response to the creation already says so, before any test.
    const prices = dialog.getByRole('table', { name: 'Plan prices here and at the provider' });
    await prices.getByRole('row', { name: /pro.*\$30\.00\/month.*\$35\.00\/month.*Differs/ }).waitFor();
    await press(page, 'Test the connection');
    const found = dialog.getByRole('list', { name: 'What the test found' });
    await found.getByText('✓ Authentication passed:').waitFor();
    await found.getByText('✗ Webhook failed:').waitFor();
    await found.getByText('✗ Plan prices failed:').waitFor();
    await keepScreenshot(page, 'connection-test');
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await press(page, 'Next');
    const { data } = (await world.operator.get('/api/provider-connections')).body as {
      data: { id: string; displayName: string; webhookUrl: string; settings: object }[];
    };
    const made = data.find(({ displayName }) => displayName === 'Second account');
    expect(made?.settings).toMatchObject({
      merchantId: 'merchant-1',
      planReferences: { pro: 'price_dearer' },
    });
    await dialog.getByRole('button', { name: `Copy ${made?.webhookUrl ?? ''}` }).waitFor();
    await dialog.getByText('Missing to verify them: Webhook signing secret.').waitFor();
    // The list, to which this returns, has no such button.
    await dialog.getByText('On the connection’s page, press Edit', { exact: false }).waitFor();
    await press(page, 'Done');

    // What does not work is above the others.
    const row = page.getByRole('table', { name: 'Provider connections' }).getByRole('row').nth(1);
    await row.getByText('Webhooks are refused: Webhook signing secret missing').waitFor();
    await row.getByText('failed: Webhook, Plan prices').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepScreenshot(page, 'connection-list');
    await row.getByRole('link', { name: 'Second account' }).click();
    const card = page.getByRole('region', { name: /Second account/ });
    await card.getByText('Fails closed: Webhook signing secret missing').waitFor();
    await card.getByText('The last test failed: Webhook, Plan prices').waitFor();
    const before = await stored(world.service.database, made?.id ?? '');

    await card.getByRole('button', { name: 'Edit' }).click();
    await press(page, 'Next');
    const edit = page.getByRole('dialog');
    await edit.getByText(`Keep stored ••••${secretKey.slice(-4)}`).waitFor();
    const webhookSecret = fakeSecret('whsec_');
    await edit.getByRole('textbox', { name: 'Webhook signing secret' }).fill(webhookSecret);
    await press(page, 'Next');
    await press(page, 'Save changes');
    await press(page, 'Next');
    await press(page, 'Done');
    await card.getByText('Fails closed').waitFor({ state: 'detached' });
    const shown = await sentAsCurl(page);
    expect(shown).toContain('{"secrets":{"webhookSecret":"<webhookSecret>"}}');
    expect((await stored(world.service.database, made?.id ?? '')).secret_hints).toEqual({
      secretKey: secretKey.slice(-4),
      webhookSecret: webhookSecret.slice(-4),
    });

    await card.getByRole('button', { name: 'Edit' }).click();
    await press(page, 'Next');
    await edit
      .getByRole('radiogroup', { name: 'Secret key' })
      .getByRole('radio', { name: 'Replace' })
      .check();
    const replacement = fakeSecret('sk_test_');
    await edit.getByRole('textbox', { name: 'New secret key' }).fill(replacement);
    await keepScreenshot(page, 'connection-credentials');
    await press(page, 'Next');
    await press(page, 'Save changes');
    await press(page, 'Next');
    await press(page, 'Done');
    await card.getByText(`••••${replacement.slice(-4)}`).waitFor();
    const after = await stored(world.service.database, made?.id ?? '');
    expect(after.secret_hints).toEqual({
      secretKey: replacement.slice(-4),
      webhookSecret: webhookSecret.slice(-4),
    });
    expect(before.revision).toBeLessThan(after.revision);

    const curl = await sentAsCurl(page);
    expect(curl).toContain('<secretKey>');
    for (const secret of [secretKey, webhookSecret, replacement]) expect(curl).not.toContain(secret);

    await card.getByRole('button', { name: 'Disable' }).click();
    await press(page, 'Disable the connection');
    await card.getByRole('button', { name: 'Enable' }).waitFor();
    expect((await stored(world.service.database, made?.id ?? '')).disabled_at).not.toBeNull();
    await card.getByRole('button', { name: 'Enable' }).click();
    await press(page, 'Enable the connection');
    await card.getByRole('button', { name: 'Disable' }).waitFor();
  });

  test('a secret among the settings is refused at its field, and one of production in its step', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Wrong');
    await press(page, 'Next');
    await dialog.getByRole('textbox', { name: 'Secret key' }).fill(fakeSecret('sk_live_'));
    await press(page, 'Next');
    await dialog.getByLabel('Merchant ID').fill(fakeSecret('sk_test_'));
    provoke(400, 422);
    await press(page, 'Create connection');
    await dialog
      .getByText(/is a secret, and this member is shown to everybody/)
      .first()
      .waitFor();
    await dialog.getByLabel('Merchant ID').fill('');
    await press(page, 'Create connection');
    await dialog.getByText('secret_wrong_environment').waitFor();
    await dialog.getByRole('textbox', { name: 'Secret key' }).waitFor();
  });

  test('secrets that were typed for another provider are not sent, and a refused one has the focus', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Changed my mind');
    await press(page, 'Next');
    await dialog.getByRole('textbox', { name: 'Secret key' }).fill(fakeSecret('sk_test_'));
    await dialog.getByRole('textbox', { name: 'Webhook signing secret' }).fill(fakeSecret('whsec_'));
    await press(page, 'Back');
    await dialog.getByRole('radio', { name: 'Provider C' }).check();
    await press(page, 'Next');
    const secretKey = dialog.getByRole('textbox', { name: 'Secret key' });
    expect(await secretKey.inputValue()).toBe('');
    await secretKey.fill('s'.repeat(5_000));
    await press(page, 'Next');
    provoke(400);
    await press(page, 'Create connection');
    await dialog.getByText(/^Has more than \d+ characters/).waitFor();
    expect(await page.evaluate<string>('document.activeElement.dataset.path')).toBe('secrets.secretKey');
    await secretKey.fill(fakeSecret('sk_test_'));
    await press(page, 'Next');
    await press(page, 'Create connection');
    await dialog.getByText('The connection is stored.').waitFor();
  });

  test('a viewer sees a connection, and why they may not change it', async () => {
    const viewer = await logIn(world.service, { role: 'viewer', workspaceId: world.operator.workspaceId });
    const page = await open(viewer);
    const isRefused = async (name: string) =>
      (await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')) === 'true';
    expect(await isRefused('New connection')).toBe(true);
    await page.getByRole('table', { name: 'Provider connections' }).getByRole('link').first().click();
    for (const name of ['Edit', 'Disable', 'Test the connection']) expect(await isRefused(name)).toBe(true);
    await page.getByText('This needs the role developer, and you are viewer.').first().waitFor();
  });
});
