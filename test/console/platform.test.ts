import { connect, complete } from '../connections/connection-calls';
import { startCredentialService, type CredentialService } from '../credentials/credential-service';
import { testKeys } from '../credentials/keys';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsoleOf } from './use-console';

let database: TestDatabase;
let service: CredentialService;
let client: OperatorClient;
let browser: ConsoleBrowser;

inBrowser('the pages of a platform administrator (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsoleOf(
    async () => {
      database = await createTestDatabase();
      service = await startCredentialService(database, { keys: testKeys('k1', 'k2') });
      const stop = async () => {
        await service.stop();
        await database.drop();
      };
      return { service, stop };
    },
    async (_, started) => {
      browser = started;
      client = await logIn(service, { platformAdministrator: true, role: 'admin' });
    },
  );

  test('a key is rotated: refused while a process lacks it, migrated, and the old one is safe to remove at last', async () => {
    await connect(client, { secrets: complete.provider_a() });
    const broken = await connect(client, { secrets: complete.provider_a() });
    const damage = (sql: string) =>
      database.query(`UPDATE tollgate.provider_connections SET envelope = ${sql} WHERE id = $1`, [broken]);
    await damage(`envelope || '\\x00'::bytea`);
    const old = await startCredentialService(database, { keys: testKeys('k1') });
    const page = await browser.signIn(client.email);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Credential keys' }).click();
    const ring = page.getByRole('table', { name: 'Key ring' });
    const row = (key: string) => ring.getByRole('row', { name: new RegExp(`^${key}`) });
    await row('k2').getByText('▲ 1 of 2 running processes lack it').waitFor();
    await row('k1').getByText('● Active: writes').waitFor();
    await row('k2').getByRole('button', { name: 'Make active' }).click();
    provoke(409);
    await page.getByRole('button', { name: 'Make k2 active' }).click();
    await page.getByRole('dialog').getByText('key_switch_refused').waitFor();
    await old.stop();
    await page.getByRole('button', { name: 'Make k2 active' }).click();
    await row('k2').getByText('● Active: writes').waitFor();
    await row('k1').getByText('Not while 2 are pending').waitFor();
    await page.getByText('This report is a dry run and changes nothing.', { exact: false }).waitFor();

    await page.getByRole('button', { name: 'Migrate 2 to k2' }).click();
    await page.getByText('1 could not be migrated').waitFor();
    await row('k1').getByText('Not while 1 is pending').waitFor();
    await keepScreenshot(page, 'platform-credentials');
    expect(await findBarriers(page)).toEqual([]);
    await damage('substring(envelope FROM 1 FOR length(envelope) - 1)');
    // A run whose workflow was terminated before its end.
    await database.query("UPDATE tollgate.credential_migrations SET status = 'running'");
    await page.reload();
    await page.getByText('A migration is running.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Migrate 1 to k2' }).click();
    await row('k1').getByText('✓ Safe to remove').waitFor();
    await page.getByText('Nothing is pending:', { exact: false }).waitFor();

    await page.getByRole('link', { name: 'Platform audit' }).click();
    const records = page.getByRole('table', { name: 'Platform audit records' });
    await records.getByText('credential_key.switched').waitFor();
    await page.getByLabel('What').fill('credential_migration.started');
    await page.getByRole('button', { name: 'Filter' }).click();
    await records.getByText('credential_key.switched').waitFor({ state: 'detached' });
    await records.getByText('credential_migration.started').first().waitFor();
    expect(new URL(page.url()).search).toBe('?action=credential_migration.started');
    await keepScreenshot(page, 'platform-audit');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('others have no link to it, and are refused with the reason', async () => {
    const { email } = await logIn(service, { role: 'owner' });
    const page = await browser.signIn(email);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Account and sessions' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Credential keys' }).count()).toBe(0);
    provoke(403);
    for (const path of ['/platform/credentials', '/platform/audit']) {
      await page.goto(browser.url + path);
      await page.getByText('platform_administrator_required').waitFor();
      await page.getByText('Only a platform administrator can do this.').first().waitFor();
    }
  });
});
