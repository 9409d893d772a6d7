import type { Environment } from '../../src/domain/environment';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { enrol } from '../support/second-factor';
import { tokenOf } from '../support/secret-link';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('access that a removed member leaves (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({}, (started) => {
    ({ service, browser } = started);
  });

  test('is shown once the member is removed, and until each entry is decided', async () => {
    const { owner, admin } = await leaveMuch();
    const page = await browser.openAs(owner, '/members');
    const section = page.getByRole('region', { name: 'Access to review' });
    const before = page.waitForResponse('**/access-review');
    await page.reload();
    expect(await (await before).json()).toMatchObject({ data: [] });
    await page.getByRole('button', { name: `Remove ${admin.email}` }).click();
    expect(await section.count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const left = page.getByRole('dialog', { name: /^What .* leaves behind$/ });
    const entries = left.getByRole('listitem');
    await left.getByText('They may still know its webhook ID.').waitFor();
    expect(await entries.count()).toBe(4);
    await left.getByText('Provider connection Shop at B, production').waitFor();
    await left.getByText(/^API key Server, sandbox$/).waitFor();
    await left.getByText('They are listed for 30 days after they joined.').waitFor();
    for (const width of [1280, 320]) {
      await look(page, 'light', width);
      expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
      await keepScreenshot(page, `access-left-${width}`);
    }
    await look(page, 'light', 1280);

    // The member's link finds them in the list behind the dialog.
    await left.getByRole('link', { name: 'Invited' }).click();
    await left.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('search') === 'Invited');
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 320],
    ] as const) {
      await look(page, theme, width);
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await keepScreenshot(page, `access-review-${width}`);
    }
    await look(page, 'light', 1280);

    // The key is on the page of its environment, and leaves the list when it is revoked.
    await section.getByRole('link', { name: 'Server' }).click();
    await page.getByRole('button', { name: /^Revoke \u2068Server/ }).click();
    await page.getByLabel(/^Type .* to confirm$/).fill('Server');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText(/^revoked/).waitFor();
    await page.goBack();
    await section.getByRole('link', { name: 'Shop at B' }).waitFor();
    await section.getByRole('link', { name: 'Server' }).waitFor({ state: 'detached' });
    // The connection is one of production, although the page is of the sandbox.
    await section.getByRole('link', { name: 'Shop at B' }).click();
    await page.waitForURL(/\/production\/connections\//);
  });

  test('of a webhook endpoint ends once its address is confirmed and its secret rolled', async () => {
    const { owner, admin, url } = await leaveMuch();
    await remove(owner, admin);
    const page = await browser.openAs(owner, '/members');
    const section = page.getByRole('region', { name: 'Access to review' });
    await section.getByRole('link', { name: url }).click();
    const review = page.getByRole('alert').filter({ hasText: 'Access to review' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await review.getByText('knows the signing secret').waitFor();
    for (const width of [1280, 320]) {
      await look(page, 'light', width);
      expect(await findBarriers(page)).toEqual([]);
      await keepScreenshot(page, `endpoint-review-${width}`);
    }
    await look(page, 'light', 1280);

    await button('Confirm the address').click();
    const confirm = page.getByRole('dialog', { name: 'Confirm the address' });
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'confirm-address');
    await confirm.getByRole('button', { name: 'Confirm the address' }).click();
    await confirm.waitFor({ state: 'detached' });
    await button('Confirm the address').waitFor({ state: 'detached' });
    await review.getByText('knows the signing secret').waitFor();
    await button('Roll the secret').click();
    await button('Make the new secret').click();
    await page.getByLabel('I have stored the secret').check();
    await button('Close').click();
    await review.waitFor({ state: 'detached' });
    await page.goBack();
    await section.getByRole('link', { name: 'Server' }).waitFor();
    await section.getByRole('link', { name: url }).waitFor({ state: 'detached' });
  });

  test('is not confirmed for an address that somebody else has changed meanwhile', async () => {
    const { owner, admin, endpointId } = await leaveMuch();
    await remove(owner, admin);
    const page = await browser.openAs(owner, `/developer/webhooks/${endpointId}`);
    const confirm = page.getByRole('dialog', { name: 'Confirm the address' });
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    const another = 'https://93.184.216.34/another';
    await owner.patch(`/api/webhook-endpoints/${endpointId}`, { body: { url: another } });
    await confirm.getByRole('button', { name: 'Confirm the address' }).click();
    await confirm.getByText('The address was changed meanwhile').waitFor();
    await confirm.getByText(another).waitFor();
    const { body } = await owner.get(`/api/webhook-endpoints/${endpointId}`);
    expect(body['url']).toBe(another);
  });

  test('is not confirmed for an address that was changed while the second factor was asked for', async () => {
    const { owner, admin, endpointId } = await leaveMuch('production');
    const another = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
    await remove(owner, admin);
    const { app } = await enrol(service, owner);
    service.clock.ahead += 11 * 60_000;
    provoke(403);
    const page = await browser.openAs(owner, '/members');
    await page.goto(page.url().replace('/sandbox/members', `/production/developer/webhooks/${endpointId}`));
    const confirm = page.getByRole('dialog', { name: 'Confirm the address' });
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await confirm.getByRole('button', { name: 'Confirm the address' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.waitFor();
    const body = { url: 'https://93.184.216.34/another' };
    const path = `/api/webhook-endpoints/${endpointId}`;
    expect((await another.patch(path, { env: 'production', body })).status).toBe(200);
    await question.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await question.getByRole('button', { name: 'Confirm' }).click();
    await confirm.getByText('The address was changed meanwhile').waitFor();
    expect((await another.get(path, { env: 'production' })).body).toMatchObject(body);
  });

  test('is shown to admins only', async () => {
    const { owner, admin, endpointId } = await leaveMuch();
    await remove(owner, admin);
    const developer = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
    const page = await browser.openAs(developer, '');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // What is not asked for cannot come later, either.
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/access-review')) asked.push(page.url());
    });
    const home = page.url().replace(/\/$/, '');
    await page.goto(`${home}/members`);
    await page.getByRole('table', { name: 'Members' }).getByText(developer.email).waitFor();
    await page.goto(`${home}/developer/webhooks/${endpointId}`);
    await page.getByRole('button', { name: 'Roll the secret' }).waitFor();
    expect(asked).toEqual([]);
  });
});

/** Makes an owner, and an admin who made one of each kind of access. */
async function leaveMuch(env: Environment = 'sandbox') {
  const owner = await logIn(service, { role: 'owner' });
  const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
  const url = 'https://93.184.216.34/hook';
  await admin.post('/api/api-keys', { body: { name: 'Server', scopes: ['usage'] } });
  await admin.post('/api/provider-connections', {
    env: 'production',
    body: { provider: 'provider_b', displayName: 'Shop at B', secrets: { webhookId: 'WH-1' } },
  });
  const endpoint = await admin.post('/api/webhook-endpoints', { env, body: { url } });
  const invitation = await admin.post(`/api/organizations/${owner.workspaceId}/members`, {
    env: null,
    body: { email: `invited-${owner.workspaceId}@example.test`, role: 'viewer' },
  });
  const token = tokenOf(invitation.body['link']);
  const nobody = { operatorId: '', email: '', workspaceId: '', cookie: '' };
  const accepted = await createClient(service.urls.console, nobody).post('/api/auth/invitations/accept', {
    env: null,
    body: { token, name: 'Invited', password: 'a long enough password' },
  });
  expect([endpoint.status, accepted.status]).toEqual([201, 200]);
  return { owner, admin, url, endpointId: String(endpoint.body['id']) };
}

async function remove(owner: OperatorClient, { operatorId }: OperatorClient): Promise<void> {
  const path = `/api/organizations/${owner.workspaceId}/members/${operatorId}`;
  expect((await owner.delete(path, { env: null })).status).toBe(200);
}
