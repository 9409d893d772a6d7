import type { Page } from 'playwright-core';
import { idOf } from '../catalog/offer';
import { logIn, testPassword, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let owner: OperatorClient;
let member: OperatorClient;

inBrowser('a role that is lowered under an open dialog (skipped without CHROMIUM_PATH)', () => {
  useConsole({ provoked: [401, 403] }, (started) => {
    ({ service, browser } = started);
  });
  beforeEach(async () => {
    owner = await logIn(service, { role: 'owner' });
    member = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
  });

  /** Makes the member a viewer, and signs the member in again on the page, which asks for it. */
  const lower = async (page: Page) => {
    const path = `/api/organizations/${owner.workspaceId}/members/${member.operatorId}`;
    expect((await owner.patch(path, { env: null, body: { role: 'viewer' } })).status).toBe(200);
    // A link of the page would leave it; the search reads beside it.
    await page.keyboard.press('Control+k');
    const search = page.getByPlaceholder('An id, an external id, or a page');
    await search.fill('acct');
    const question = page.getByRole('dialog', { name: 'Your session has ended' });
    await question.getByLabel('Password', { exact: true }).fill(testPassword);
    await question.getByRole('button', { name: 'Sign in' }).click();
    await question.waitFor({ state: 'detached' });
    await search.press('Escape');
    await search.waitFor({ state: 'detached' });
  };

  /** Makes the member a viewer by their own request: whoever steps down stays signed in, unlike whoever is demoted. */
  const stepDown = async () => {
    const path = `/api/organizations/${owner.workspaceId}/members/${member.operatorId}`;
    await owner.patch(path, { env: null, body: { role: 'admin' } });
    expect((await member.patch(path, { env: null, body: { role: 'viewer' } })).status).toBe(200);
  };

  test('a key that was rolled is shown until it is stored', async () => {
    await owner.post('/api/api-keys', { body: { name: 'server', scopes: ['usage'] } });
    const page = await browser.openAs(member, '/developer/api-keys');
    await page.getByRole('button', { name: /^Roll \u2068server/ }).click();
    await page.getByRole('button', { name: 'Make the new key' }).click();
    const shown = page.getByRole('dialog', { name: 'The key, shown once' });
    await shown.getByText(/^svc_test_/).waitFor();
    await lower(page);
    await page.getByText(/This needs the role developer, and you are viewer/).waitFor();
    await keepScreenshot(page, 'role-lowered-key');
    expect(await shown.getByText(/^svc_test_/).count()).toBe(1);
    await shown.getByLabel('I have stored the key').check();
    await shown.getByRole('button', { name: 'Close', exact: true }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^(Roll|Revoke)/ }).count()).toBe(0);
  });

  test('what was typed into a dialog of a row stays, and is refused with the role that it needs', async () => {
    const id = idOf(
      await owner.post('/api/features', { body: { key: 'seats', name: 'Seats', kind: 'boolean' } }),
    );
    const page = await browser.openAs(member, '/catalogue');
    await page.getByRole('button', { name: 'Edit \u2068Seats\u2069' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit the feature/ });
    await dialog.getByLabel('Name').fill('Places');
    await lower(page);
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Places');
    await dialog.getByRole('button', { name: 'Save feature' }).click();
    await dialog.getByText('role_forbidden').waitFor();
    await keepScreenshot(page, 'role-lowered-input');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Places');
    expect((await owner.get(`/api/features/${id}`)).body['name']).toBe('Seats');
  });

  test('a confirmation about a row stays and shows the refusal, from which the role is learnt', async () => {
    const id = idOf(
      await owner.post('/api/features', { body: { key: 'seats', name: 'Seats', kind: 'boolean' } }),
    );
    const page = await browser.openAs(member, '/catalogue');
    await page.getByRole('button', { name: 'Archive \u2068Seats\u2069' }).click();
    await stepDown();
    const dialog = page.getByRole('dialog', { name: /^Archive the feature/ });
    await dialog.getByRole('button', { name: 'Archive the feature' }).click();
    await dialog.getByText('role_forbidden').waitFor();
    const features = page.locator('section', { hasText: 'Features' });
    await features.getByText('This needs the role developer, and you are viewer').waitFor();
    expect(await dialog.getByText('role_forbidden').count()).toBe(1);
    expect((await owner.get(`/api/features/${id}`)).body['archivedAt']).toBeNull();
  });

  test('one’s own, lowered on another page, is learnt from the refusal', async () => {
    const page = await browser.openAs(member, '/catalogue');
    await page.getByRole('button', { name: 'New feature' }).click();
    const dialog = page.getByRole('dialog', { name: 'New feature' });
    await dialog.getByLabel('Name').fill('Seats');
    await dialog.getByLabel('Key').fill('seats');
    await stepDown();
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await dialog.getByText('role_forbidden').waitFor();
    const features = page.locator('section', { hasText: 'Features' });
    await features.getByText('This needs the role developer, and you are viewer').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Seats');
  });
});
