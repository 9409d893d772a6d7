import type { Locator, Page } from 'playwright-core';
import { createCustomer, idOf } from '../catalog/offer';
import type { OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let browser: ConsoleBrowser;
let operator: OperatorClient;
let oldest: string;
/** A group with a single plan, which is not the newest. */
let few: string;

/** More than one page of a list holds; the oldest item is at the end. */
const MANY = 205;

inBrowser('a catalogue of more than a page (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct', role: 'admin' }, async (started) => {
    ({ browser, operator } = started);
    const planGroupId = idOf(
      await operator.post('/api/plan-groups', { body: { slug: 'plans', name: 'Plans' } }),
    );
    const makePlan = async (slug: string, name: string, amount: string, group = planGroupId) => {
      const price = { amount, currency: 'USD' };
      const body = { planGroupId: group, slug, name, price, interval: 'month' };
      return idOf(await operator.post('/api/plans', { body }));
    };
    const makeFeature = async (key: string, name: string, kind: string) =>
      idOf(await operator.post('/api/features', { body: { key, name, kind } }));
    few = idOf(await operator.post('/api/plan-groups', { body: { slug: 'few', name: 'Few plans' } }));
    const included = await makePlan('included', 'Included', '100', few);
    oldest = await makePlan('oldest', 'Oldest plan', '1100');
    await makePlan('second', 'Second plan', '2200');
    await makeFeature('oldest_metered', 'Oldest metered', 'metered');
    await makeFeature('oldest_boolean', 'Oldest boolean', 'boolean');
    const body = { featureKey: 'oldest_metered', quota: 7 };
    await operator.post('/api/plan-groups', { body: { slug: 'newest', name: 'Newest plans' } });
    await operator.post(`/api/plans/${included}/entitlements`, { body });
    for (let number = 0; number < MANY; number += 1) {
      await makePlan(`other-${number}`, `Other ${number}`, '5000');
      await makeFeature(`other_${number}`, `Other ${number}`, 'metered');
    }
  });

  const shows = (field: Locator, name: RegExp) => until(async () => name.test(await field.inputValue()));
  const search = async (page: Page, field: Locator, text: string, name: RegExp): Promise<void> => {
    await field.click();
    await field.fill(text);
    await page.getByRole('option', { name }).click();
  };

  test('a subscription begins on any plan, which is found by its name', async () => {
    const { externalId } = await createCustomer(operator);
    const page = await browser.openAs(operator, '/subscriptions');
    await page.getByRole('button', { name: 'New subscription' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^New subscription/ });
    await dialog.getByLabel('Customer').fill(externalId);
    const field = dialog.getByRole('combobox', { name: 'Plan' });
    await search(page, field, 'OLDEST', /Oldest plan.*\$11\.00\/month/);
    await keepScreenshot(page, 'long-catalogue-subscription');
    expect(await findBarriers(page, '[role="dialog"]')).toEqual([]);
    await shows(field, /Oldest plan/);
    await dialog.getByRole('button', { name: 'Start subscription' }).click();
    await page.waitForURL(/\/subscriptions\/sub/);
    const { data } = (await operator.get('/api/billing/subscriptions', { query: { take: '1' } })).body as {
      data: { plan: { id: string } }[];
    };
    expect(data[0]?.plan.id).toBe(oldest);

    await page.getByRole('button', { name: 'Change plan' }).click();
    const change = page.getByRole('dialog', { name: /^Change the subscription/ });
    const plan = change.getByRole('combobox', { name: 'Plan' });
    await shows(plan, /Oldest plan.*\$11\.00\/month/);
    await search(page, plan, 'second', /Second plan/);
    await change.getByRole('button', { name: /^Upgrade now, charge/ }).waitFor();
    await shows(plan, /Second plan.*\$22\.00\/month/);
    await keepScreenshot(page, 'long-catalogue-change');
  });

  test('a customer’s page shows the features of the plan first, and all on request', async () => {
    const { id, externalId } = await createCustomer(operator);
    await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'included' },
      headers: { 'Idempotency-Key': externalId },
    });
    const page = await browser.openAs(operator, `/customers/${id}`);
    const rows = page.getByRole('table', { name: 'Entitlements' }).getByRole('row');
    const all = page.getByRole('button', { name: /^Show all 207 features$/ });
    await all.waitFor();
    expect(await rows.count()).toBe(21);
    expect(await rows.nth(1).textContent()).toContain('oldest_metered');
    await all.press('Enter');
    await rows.nth(207).waitFor();
    await page.getByRole('button', { name: 'Show the first 20' }).press('Enter');
    await all.waitFor();
    expect(await rows.count()).toBe(21);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a plan includes any feature, which is found by its key', async () => {
    const page = await browser.openAs(operator, `/catalogue/plans/${oldest}`);
    await page.getByRole('button', { name: 'Add a feature' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^What/ });
    const field = dialog.getByRole('combobox', { name: 'Feature' });
    await search(page, field, 'oldest_b', /Oldest boolean/);
    await dialog.getByRole('textbox', { name: /quota/i }).first().waitFor({ state: 'detached' });
    await keepScreenshot(page, 'long-catalogue-feature');
    await dialog.getByRole('button', { name: 'Add to the plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Oldest boolean').first().waitFor();
  });

  test('the feature that an address names is shown by its name', async () => {
    const page = await browser.openAs(operator, '/usage?feature=oldest_metered');
    const field = page.getByRole('combobox', { name: 'Feature' });
    await shows(field, /Oldest metered/);
    await keepScreenshot(page, 'long-catalogue-usage');
    await field.click();
    await field.fill('nothing of this name');
    await page.getByText('There is no such feature.').waitFor();
  });

  test('the grid continues to the last feature and plan', async () => {
    const page = await browser.openAs(operator, `/catalogue/grid?group=${few}`);
    const more = page.getByRole('button', { name: 'More features' });
    await more.waitFor();
    await page.getByText('Features: 50. Plans: 1. There are more.').waitFor();
    await keepScreenshot(page, 'long-catalogue-grid');
    const table = page.getByRole('table', { name: 'Entitlements of the group Few plans' });
    const featureCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1;
    for (let turn = 1; (await more.count()) > 0; turn += 1) {
      await more.click();
      await until(async () => (await featureCount()) > turn * 50);
    }
    expect(await featureCount()).toBe(MANY + 2);
    // A grid this narrow renders all of its cells.
    await page.getByRole('button', { name: /Oldest metered.* in .*Included.*: 7/ }).waitFor();
    expect(await page.locator('th[scope="row"]').count()).toBe(MANY + 2);
  });

  test('of a large grid the rows in view are in the page, and the one that has the focus', async () => {
    const page = await browser.openAs(operator, `/catalogue/grid?group=${few}`);
    await page.getByText('Features: 50. Plans: 1. There are more.').waitFor();
    const more = page.getByRole('button', { name: 'More features' });
    for (let turn = 1; (await more.count()) > 0; turn += 1) {
      await more.click();
      await until(async () => (await page.locator('th[scope="row"]').count()) > turn * 50);
    }
    await search(page, page.getByRole('combobox', { name: 'Plan group' }), 'PLANS', /^Plans$/);
    const plans = page.locator('th[scope="col"]');
    await page.getByRole('button', { name: 'More plans' }).click();
    await until(async () => (await plans.count()) === 100);
    expect(await page.locator('th[scope="row"]').count()).toBeLessThan(50);

    await page.evaluate('scrollTo(0, 0)');
    const first = page.getByRole('button', { name: /Other 204.* in .*Other 204/ }).first();
    await first.focus();
    await keepScreenshot(page, 'long-catalogue-large');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('rowheader', { name: /Oldest metered/ }).waitFor();
    expect(await page.locator('tr[aria-rowindex="208"]').count()).toBe(1);
    expect(await page.locator('th[scope="row"]').count()).toBeLessThan(50);
    const focusedRow = "document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')";
    expect(await page.evaluate<string>(focusedRow)).toBe('2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>(focusedRow)).toBe('2');
  });
});
