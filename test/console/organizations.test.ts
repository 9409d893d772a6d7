import { createCustomer } from '../catalog/offer';
import { logIn } from '../support/operator';
import type { TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { useConsole } from './use-console';
import { answersTo, comeToRest } from './walk';

let service: TestService;
let browser: ConsoleBrowser;

inBrowser('organizations (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ service, browser } = started);
  });

  test('two operators of two organizations see nothing of each other', async () => {
    const one = await logIn(service, { role: 'owner' });
    const other = await logIn(service, { role: 'owner' });
    const { externalId, id } = await createCustomer(one);
    const own = await browser.signIn(one.email);
    const theirs = await browser.signIn(other.email);
    const [home, otherHome] = [own.url().replace(/\/$/, ''), theirs.url().replace(/\/$/, '')];
    expect(home).not.toBe(otherHome);
    await own.goto(`${home}/customers`);
    await own.getByRole('link', { name: externalId }).waitFor();
    await theirs.goto(`${otherHome}/customers`);
    await theirs.getByText('There are no customers yet').waitFor();
    // Neither the other organization's address, nor its id under one's own address, nor one's own id under its address
    // leads anywhere.
    await theirs.goto(`${home}/customers`);
    await theirs.getByRole('heading', { name: /^You are not a member of/ }).waitFor();
    await keepScreenshot(theirs, 'not-a-member');
    await theirs.goto(`${otherHome.replace(/sandbox$/, 'prod')}/customers`);
    await theirs.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    expect(await theirs.title()).toBe('There is no such page · Tollgate');
    await theirs.getByRole('link', { name: 'To the start' }).click();
    await theirs.waitForURL((url) => url.href.replace(/\/$/, '') === otherHome);
    await theirs.goto(`${otherHome}/customers/${id}`);
    await theirs.getByText('customer_not_found').first().waitFor();
    await theirs.getByRole('heading', { level: 1, name: 'There is no such customer.' }).waitFor();
    expect(await theirs.title()).toBe('There is no such customer. · Tollgate');
    expect(await theirs.getByText(externalId).count()).toBe(0);
    expect(browser.complaints.splice(0).join()).toContain(`There is no customer "${id}"`);
  });

  test('a long name that is written from the right, or begins with a symbol, is shown from its beginning', async () => {
    const operator = await logIn(service, { role: 'owner' });
    await service.database.query('UPDATE tollgate.operators SET name = $2 WHERE email = $1', [
      operator.email,
      `👩‍🚀 ${operator.email}`,
    ]);
    const name = 'שלום '.repeat(16).trim();
    const path = `/api/organizations/${operator.workspaceId}`;
    expect((await operator.patch(path, { body: { name }, env: null })).status).toBe(200);
    const page = await browser.openAs(operator, '/members');
    await page.getByRole('button', { name: /^Account of / }).waitFor();
    expect(await page.getByRole('button', { name: /^Account of / }).innerText()).toBe('👩‍🚀');
    // Whether the first letter is within each line that shows the name, and not cut off.
    const areBegun = `[...document.querySelectorAll('[data-truncate]')]
      .filter((line) => line.textContent.startsWith('שלום') && line.clientWidth > 20)
      .map((line) => {
        const first = document.createRange();
        first.setStart(line.firstChild.firstChild ?? line.firstChild, 0);
        first.setEnd(line.firstChild.firstChild ?? line.firstChild, 1);
        const [inner, outer] = [first.getBoundingClientRect(), line.getBoundingClientRect()];
        return inner.left >= outer.left && inner.right <= outer.right + 1;
      })`;
    expect(await page.evaluate(areBegun)).toEqual([true]);
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await page.evaluate(areBegun)).toEqual([true]);
  });

  test('the audit names the customer who acted on their own page, not the service', async () => {
    const owner = await logIn(service, { role: 'owner' });
    await service.database.query(
      `INSERT INTO tollgate.audit_records (workspace_id, id, environment, reason, action, detail, created_at)
       VALUES ($1, 'aud_of_a_customer', 'sandbox', 'CUSTOMER', 'subscription.cancelled', '{}', now())`,
      [owner.workspaceId],
    );
    const page = await browser.openAs(owner, '/settings');
    const record = page.getByRole('row').filter({ hasText: 'subscription.cancelled' });
    await record.getByRole('cell', { name: 'the customer' }).waitFor();
  });

  test('an operator who leaves an organization is redirected to the start, without an error', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const member = await logIn(service, { role: 'developer', workspaceId: owner.workspaceId });
    const page = await browser.openAs(member, '/members');
    const answered = answersTo(page);
    await page.reload();
    // A request that is unanswered when the operator leaves would be refused.
    await comeToRest(page, answered);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByText('None yet: ask an admin for an invitation.').waitFor();
    // The only page that is left to the operator is one on which to sign out.
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect((await member.get('/api/auth/session', { env: null })).status).toBe(401);
  });

  test('a platform administrator who is in no organization makes one', async () => {
    const administrator = await logIn(service, { platformAdministrator: true });
    const page = await browser.openAs(administrator, '');
    await page.goto(browser.url);
    await page.getByText('None yet: create one, or ask an admin for an invitation.').waitFor();
    await page.getByRole('button', { name: 'New organization' }).click();
    await keepScreenshot(page, 'no-organization');
    await page.getByRole('dialog').getByLabel('Name').fill('Hooli');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: /Hooli.*, sandbox/ }).waitFor();
  });

  test('among many open invitations only those in view are drawn, and one is found by its address', async () => {
    const owner = await logIn(service, { role: 'owner' });
    const path = `/api/organizations/${owner.workspaceId}/members`;
    for (let number = 1; number <= 60; number += 1) {
      const body = { email: `invited-${number}@example.test`, role: 'viewer' };
      expect((await owner.post(path, { env: null, body })).status).toBe(201);
    }
    const page = await browser.openAs(owner, '/members');
    const table = page.getByRole('table', { name: 'Invitations' });
    await table.getByText('invited-60@').waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('61');
    expect(await table.getByText('invited-1@').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search invitations' }).fill('INVITED-1@');
    await table.getByText('invited-1@').waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('2');
    // In the narrowest window, nothing of the header lies over anything else.
    await page.setViewportSize({ width: 320, height: 900 });
    const header = page.getByRole('banner');
    const [production, search] = await Promise.all([
      header.getByText('Production').boundingBox(),
      header.getByRole('button', { name: 'Search' }).boundingBox(),
    ]);
    expect((production?.x ?? 0) + (production?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0);
  });

  test('the last of many organizations is reached in the menu, which is no longer than the window', async () => {
    const member = await logIn(service, { role: 'owner' });
    for (let number = 0; number < 30; number += 1) {
      const { workspaceId } = await createWorkspace(service.database);
      await service.database.query(
        `INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at)
         VALUES ($1, $2, 'viewer', now())`,
        [workspaceId, member.operatorId],
      );
    }
    const page = await browser.openAs(member, '');
    await page.getByRole('button', { name: /Acme/ }).click();
    const items = page.getByRole('menuitem');
    await items.last().scrollIntoViewIfNeeded();
    const [menu, last] = await Promise.all([
      page.getByRole('menu').boundingBox(),
      items.last().boundingBox(),
    ]);
    expect((menu?.y ?? 0) + (menu?.height ?? 1_000)).toBeLessThanOrEqual(900);
    expect((last?.y ?? 0) + (last?.height ?? 1_000)).toBeLessThanOrEqual(900);
    await keepScreenshot(page, 'many-organizations');
    const { pathname } = new URL(page.url());
    await items.last().click();
    await page.waitForURL((url) => url.pathname !== pathname);
  });

  test('a platform administrator makes an organization and is in it; others are not offered it', async () => {
    const administrator = await logIn(service, { role: 'owner', platformAdministrator: true });
    const page = await browser.signIn(administrator.email);
    await page.getByRole('button', { name: /Acme/ }).click();
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByText('Enter the name.').waitFor();
    await page.getByLabel('Name').fill('Initech');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: /Initech.*, sandbox/ }).waitFor();
    await page.getByRole('button', { name: 'Initech' }).click();
    await page.getByRole('menuitem', { name: /Initech.*you are owner/ }).waitFor();
    const owner = await logIn(service, { role: 'owner' });
    const plain = await browser.signIn(owner.email);
    await plain.getByRole('button', { name: /Acme/ }).click();
    await plain.getByText('Organizations').waitFor();
    expect(await plain.getByRole('menuitem', { name: 'New organization' }).count()).toBe(0);
  });

  test('an admin renames an organization, whose addresses stay; a developer is told who can', async () => {
    const admin = await logIn(service, { role: 'admin' });
    const page = await browser.openAs(admin, '/settings');
    const panel = page.getByRole('region', { name: 'Organization', exact: true });
    const { pathname } = new URL(page.url());
    await panel.getByLabel('Name').fill(' ');
    await panel.getByRole('button', { name: 'Rename' }).click();
    await panel.getByText('Enter the name.').waitFor();
    await panel.getByLabel('Name').fill(' Umbrella ');
    await panel.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Umbrella' }).waitFor();
    expect(await panel.getByLabel('Name').inputValue()).toBe('Umbrella');
    await page.getByRole('cell', { name: 'organization.renamed' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);
    for (const width of [1280, 320]) {
      await look(page, 'light', width);
      expect(await findBarriers(page)).toEqual([]);
      await keepScreenshot(page, `organization-renamed-${width}`);
    }
    const developer = await logIn(service, { role: 'developer', workspaceId: admin.workspaceId });
    const theirs = await browser.openAs(developer, '/settings');
    const refused = theirs.getByRole('region', { name: 'Organization', exact: true });
    await refused.getByText(/^This needs the role admin/).waitFor();
    expect(await refused.getByRole('button', { name: 'Rename' }).getAttribute('aria-disabled')).toBe('true');
  });
});
