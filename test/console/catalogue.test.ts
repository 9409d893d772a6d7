import type { Page } from 'playwright-core';
import { createCustomer, idOf } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('the catalogue (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct', role: 'developer' }, async (started) => {
    ({ service, browser, operator } = started);
    await sellTwoPlans(operator);
  });

  const open = (path: string, by = operator): Promise<Page> => browser.openAs(by, path);
  const plans = async () =>
    (await operator.get('/api/plans')).body['data'] as {
      id: string;
      slug: string;
      name: string;
      price: { amount: string };
      metadata: Record<string, unknown>;
      archivedAt: string | null;
    }[];
  const planOf = async (slug: string) => {
    const found = (await plans()).find((plan) => plan.slug === slug);
    if (found === undefined) throw new Error(`There is no plan ${slug}.`);
    return found;
  };

  test('a plan is deleted; one with a subscription is not, and says what to do', async () => {
    const { id: planGroupId } = (
      (await operator.get('/api/plan-groups')).body['data'] as { id: string }[]
    )[0] ?? { id: '' };
    const make = async (slug: string) => {
      const price = { amount: '900', currency: 'USD' };
      const body = { planGroupId, slug, name: slug, price, interval: 'month' };
      return idOf(await operator.post('/api/plans', { body }));
    };
    const [unused, sold] = [await make('mistake'), await make('sold')];
    const { externalId } = await createCustomer(operator);
    await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'sold' },
      headers: { 'Idempotency-Key': 'sold' },
    });
    const page = await open(`/catalogue/plans/${sold}`);
    provoke(409);
    const dialog = page.getByRole('dialog', { name: /^Delete the plan/ });
    await page.getByRole('button', { name: /^Delete / }).click();
    await dialog.getByRole('button', { name: 'Delete the plan' }).click();
    await dialog.getByText('Archive the plan instead.').waitFor();
    for (const width of [1280, 320]) {
      await look(page, 'light', width);
      expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
      await keepScreenshot(page, `plan-not-deleted-${width}`);
    }
    await look(page, 'light', 1280);
    await page.goto(page.url().replace(sold, unused));
    await page.getByRole('button', { name: /^Delete / }).click();
    await dialog.getByRole('button', { name: 'Delete the plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor();
    await page.getByRole('link', { name: 'sold' }).waitFor();
    expect(await page.getByRole('link', { name: 'mistake' }).count()).toBe(0);
    expect((await plans()).map(({ slug }) => slug)).not.toContain('mistake');
  });

  test('a group and a feature are edited; a feature is archived after a question, and taken back', async () => {
    const page = await open('/catalogue');
    await page.getByRole('button', { name: /^Edit .*Plans/ }).click();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save plan group' }).click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Name').fill('All plans');
    await page.getByRole('button', { name: 'Save plan group' }).click();
    await page.getByRole('cell', { name: 'All plans', exact: true }).waitFor();

    await page.getByRole('button', { name: /^Edit .*AI tokens/ }).click();
    await page.getByLabel('Unit').fill('token');
    await page.getByRole('combobox', { name: 'Dimensions' }).fill('model');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save feature' }).click();
    await page.getByRole('cell', { name: 'metered, in token' }).waitFor();
    await page.getByRole('cell', { name: 'model', exact: true }).waitFor();

    await page.getByRole('button', { name: /^Archive .*AI tokens/ }).click();
    await page.getByText('Plans that include it keep it').waitFor();
    await page.getByRole('button', { name: 'Archive the feature' }).click();
    await page.getByRole('button', { name: /^Unarchive .*AI tokens/ }).click();
    await page.getByRole('button', { name: 'Unarchive the feature' }).click();
    await page.getByRole('button', { name: /^Archive .*AI tokens/ }).waitFor();
  });

  test('a plan’s price says whom it concerns; it keeps its labels; once it is archived, its subscriptions continue', async () => {
    const { id, metadata } = await planOf('small');
    await operator.patch(`/api/plans/${id}`, { body: { metadata: { ...metadata, label: 'kept' } } });
    const { externalId } = await createCustomer(operator);
    const subscription = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    const page = await open(`/catalogue/plans/${id}`);
    await page.getByRole('button', { name: 'Edit plan' }).click();
    await page.getByText('1 active subscription uses this.').waitFor();
    await page.getByLabel('Price, USD').fill('25.505');
    await page.getByRole('button', { name: 'Save plan' }).click();
    await page.getByText('USD has 2 digits after the point.').waitFor();
    await page.getByLabel('Price, USD').fill('25.5');
    await page.getByLabel('Plan at provider B').fill('P-SMALL');
    await page.getByRole('button', { name: 'Save plan' }).click();
    await page.getByText('✓ mapped: P-SMALL').waitFor();
    expect(await planOf('small')).toMatchObject({
      price: { amount: '2550', currency: 'USD' },
      metadata: { label: 'kept', providerBPlanId: 'P-SMALL' },
    });
    expect(await page.getByText('✗ missing: not sold there').count()).toBe(2);

    await page.getByRole('button', { name: /^Archive .*Small/ }).click();
    await page.getByText('Existing ones continue').waitFor();
    await page.getByRole('button', { name: 'Archive the plan' }).click();
    await page.getByText('archived', { exact: true }).waitFor();
    const still = await operator.get(`/api/billing/subscriptions/${idOf(subscription)}`);
    expect(still.body).toMatchObject({ status: 'active' });
    await page.getByRole('button', { name: /^Unarchive .*Small/ }).click();
    await page.getByRole('button', { name: 'Unarchive the plan' }).click();
    await page.getByText('on sale', { exact: true }).waitFor();
  });

  test('the grid is filled by keyboard: a quota is changed, a feature added, and removed', async () => {
    await operator.post('/api/features', { body: { key: 'exports', name: 'Exports', kind: 'boolean' } });
    const page = await open('/catalogue');
    await page.getByRole('link', { name: /^Entitlement grid/ }).click();
    await page.getByRole('button', { name: /AI tokens.* in .*Large.*: 10,000 a billing period/ }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Quota', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Save entitlement' }).click();
    await dialog.getByText('Enter the quota, or choose Unlimited.').waitFor();
    await dialog.getByLabel('Quota', { exact: true }).fill('20000');
    await dialog.getByLabel('For each seat').check();
    await dialog.getByLabel('What is unused stays, periods').fill('2');
    await dialog.getByLabel('At most, units in one period').fill('500');
    await dialog.getByRole('button', { name: 'Save entitlement' }).click();
    await page
      .getByRole('button', { name: /AI tokens.* in .*Large.*: 20,000 a billing period, for each seat/ })
      .waitFor();
    const entitlements = await operator.get(`/api/plans/${(await planOf('large')).id}/entitlements`);
    expect(entitlements.body['data']).toMatchObject([
      { quota: 20_000, rollover: { periods: 2, max: 500, use: 'last' } },
    ]);

    // A removal that is not confirmed leaves what is typed.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /AI tokens.* in .*Large.*: 20,000/ }).press('Enter');
    await dialog.getByLabel('Quota', { exact: true }).fill('30000');
    await dialog.getByRole('button', { name: 'Remove from the plan' }).click();
    const removal = page.getByRole('dialog', { name: /^Remove / });
    await removal.getByText('Recorded usage stays.').waitFor();
    await page.keyboard.press('Escape');
    await removal.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Remove from the plan');
    expect(await dialog.getByLabel('Quota', { exact: true }).inputValue()).toBe('30000');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // A dialog that closes gives the focus back to the cell that it was opened from.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Exports.* in .*Large.*: not included/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Add to the plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Exports.* in .*Large.*: included/ }).press('Enter');
    await dialog.getByText('Recorded usage stays.').waitFor();
    await dialog.getByRole('button', { name: 'Remove from the plan' }).click();
    await page.getByRole('button', { name: /Exports.* in .*Large.*: not included/ }).waitFor();
  });

  test('a boolean feature is added also before its kind has been read', async () => {
    const page = await open('/catalogue/grid');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cell = page.getByRole('button', { name: /Exports.* in .*Large.*: not included/ });
    await cell.waitFor();
    await page.route(/\/api\/features[/?]/, async (route) => {
      await released;
      await route.continue();
    });
    await cell.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add to the plan' }).click();
    release();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Exports.* in .*Large.*: included/ }).waitFor();
  });

  test('destructive buttons are readable in both themes', async () => {
    const page = await open('/catalogue');
    const found: string[] = [];
    const examine = async () => {
      await page.getByRole('dialog').waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await look(page, theme, 1280);
        found.push(...(await findBarriers(page, '[role=dialog]')));
      }
    };
    await page
      .getByRole('button', { name: /^Archive / })
      .first()
      .click();
    await examine();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('link', { name: /^Entitlement grid/ }).click();
    await page.getByRole('button', { name: /AI tokens.* in .*Large/ }).click();
    await examine();
    expect(found).toEqual([]);
  });

  test('a viewer sees it all, and reads why nothing can be changed', async () => {
    const viewer = await logIn(service, { role: 'viewer', workspaceId: operator.workspaceId });
    const page = await open('/catalogue/grid', viewer);
    await page.getByText('This needs the role developer').waitFor();
    const cell = page.getByRole('button', { name: /AI tokens.* in .*Large/ });
    expect(await cell.getAttribute('aria-disabled')).toBe('true');
    await cell.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Large' }).click();
    const edit = page.getByRole('button', { name: 'Edit plan' });
    await edit.waitFor();
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
  });
});
