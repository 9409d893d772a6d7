import type { Page } from 'playwright-core';
import { createCustomer, idOf } from '../catalog/offer';
import { command } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { enrol } from '../support/second-factor';
import type { TestService } from '../support/service';
import { until } from '../support/until';
import { type ConsoleBrowser, inBrowser } from './browser';
import { hold } from './hold';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

/** Whether the refusal, which is below a preview, is in view. */
const IS_REFUSAL_IN_VIEW = `(() => {
  const { top, bottom } = document.querySelector('[role=dialog] [role=alert]').getBoundingClientRect();
  const frame = document.querySelector('[role=dialog]').getBoundingClientRect();
  return top >= frame.top && bottom <= frame.bottom;
})()`;

inBrowser('two operators at once (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct', provoked: [409] }, (started) => {
    ({ service, browser } = started);
  });
  beforeEach(async () => {
    operator = await logIn(service, { role: 'admin' });
    await sellTwoPlans(operator);
  });

  async function planOf(slug: string) {
    const { data } = (await operator.get('/api/plans')).body as { data: { id: string; slug: string }[] };
    return data.find((plan) => plan.slug === slug)?.id ?? '';
  }
  async function addPlan({ slug, amount, pricing }: { slug: string; amount: string; pricing: string }) {
    const [group] = (await operator.get('/api/plan-groups')).body['data'] as { id: string }[];
    const price = { amount, currency: 'USD' };
    const plan = { planGroupId: group?.id, slug, name: slug, price, interval: 'month', pricing };
    expect((await operator.post('/api/plans', { body: plan })).status).toBe(201);
  }
  /** Freezes the page's view of the subscription: it sees no later change before it sends. */
  async function keepFromLearning(page: Page, id: string) {
    const before = await page.request.get(`${service.urls.console}/api/billing/subscriptions/${id}`, {
      params: { organizationId: operator.workspaceId, env: 'sandbox' },
    });
    await page.route(`**/api/billing/subscriptions/${id}?*`, (route) => route.fulfill({ response: before }));
  }
  async function openChange(planSlug = 'small', choice = /Large.*\$50\.00\/month/) {
    const { externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug },
      headers: { 'Idempotency-Key': externalId },
    });
    const id = idOf(made);
    const page = await browser.openAs(operator, `/subscriptions/${id}`);
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog', { name: /^Change the subscription/ });
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: choice }).click();
    return { id, page, dialog, button: dialog.getByRole('button', { name: /^Upgrade now, charge \$/ }) };
  }
  const show = async (id: string) => (await operator.get(`/api/billing/subscriptions/${id}`)).body;
  const prorations = async (subscriptionId: string) =>
    (
      (await operator.get('/api/billing/transactions', { query: { subscriptionId } })).body['data'] as {
        kind: string;
        total: { amount: string };
      }[]
    ).flatMap(({ kind, total }) => (kind === 'proration' ? [Number(total.amount) / 100] : []));

  test('a change costs what its button said, or is refused and previewed again', async () => {
    const { id, page, dialog, button } = await openChange();
    await button.waitFor();
    const large = await planOf('large');
    const price = { amount: '90000', currency: 'USD' };
    expect((await operator.patch(`/api/plans/${large}`, { body: { price } })).status).toBe(200);
    await page.setViewportSize({ width: 1280, height: 420 });
    await button.click();
    await dialog.getByText('change_differs').waitFor();
    expect(await page.evaluate(IS_REFUSAL_IN_VIEW)).toBe(true);
    expect(await show(id)).toMatchObject({ plan: { slug: 'small' } });
    const dearer = dialog.getByRole('button', { name: /^Upgrade now, charge \$8\d\d\.\d\d$/ });
    const promised = Number(/\$([\d.]+)/.exec((await dearer.textContent()) ?? '')?.[1]);
    await dearer.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await show(id)).toMatchObject({ plan: { slug: 'large' } });
    // Half a minute later the proration is a cent lower; it is never higher.
    const charged = await prorations(id);
    expect(charged).toEqual([expect.closeTo(promised, 0)]);
    expect(charged[0]).toBeLessThanOrEqual(promised);
  });

  test('a change of plan leaves seats as another operator has just changed them', async () => {
    await addPlan({ slug: 'team', amount: '1000', pricing: 'per_seat' });
    await addPlan({ slug: 'company', amount: '2000', pricing: 'per_seat' });
    const { id, page, dialog, button } = await openChange('team', /company.*\$20\.00\/month/);
    await button.waitFor();
    await keepFromLearning(page, id);
    expect((await command(operator, id, 'change', { body: { seats: 9 } })).status).toBe(200);
    await button.click();
    await dialog.getByText('change_differs').waitFor();
    await dialog.getByRole('button', { name: /^Upgrade now, charge \$[89]\d\.\d\d$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await show(id)).toMatchObject({ plan: { slug: 'company' }, seats: 9 });
  });

  test('a change that another operator has just scheduled is shown before it is withdrawn', async () => {
    await addPlan({ slug: 'tiny', amount: '100', pricing: 'flat' });
    const { id, page, dialog, button } = await openChange();
    await button.waitFor();
    await keepFromLearning(page, id);
    expect((await command(operator, id, 'change', { body: { planSlug: 'tiny' } })).body).toMatchObject({
      effective: 'next_renewal',
    });
    await button.click();
    await dialog.getByText('change_differs').waitFor();
    await dialog.getByText('The change to tiny that is scheduled no longer happens.').waitFor();
    expect((await show(id))['scheduledChange']).not.toBeNull();
  });

  test('the question whether a change is withdrawn stays when another operator has just withdrawn it', async () => {
    await addPlan({ slug: 'tiny', amount: '100', pricing: 'flat' });
    const { externalId } = await createCustomer(operator);
    const made = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    const id = idOf(made);
    await command(operator, id, 'change', { body: { planSlug: 'tiny' } });
    const page = await browser.openAs(operator, `/subscriptions/${id}`);
    await page.getByRole('button', { name: 'Withdraw the change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw the change' });
    await dialog.waitFor();
    const withdrawn = await operator.delete(`/api/billing/subscriptions/${id}/scheduled-change`, {
      headers: { 'Idempotency-Key': `${externalId}-withdrawn` },
    });
    expect(withdrawn.status).toBe(200);
    await page.getByText('Changes at the renewal').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Withdraw the change' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('unedited members of a plan are not written back', async () => {
    const id = await planOf('large');
    const page = await browser.openAs(operator, `/catalogue/plans/${id}`);
    await page.getByRole('button', { name: 'Edit plan' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit the plan/ });
    await dialog.getByLabel('Name').fill('Larger');
    const price = { amount: '6000', currency: 'USD' };
    const metadata = { providerAPriceId: 'price_new' };
    await operator.patch(`/api/plans/${id}`, { body: { price, trialDays: 14, metadata } });
    // Simulates the operator's return to the tab.
    await until(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return page.getByText('$60.00').first().isVisible();
    });
    await dialog.getByRole('button', { name: 'Save plan' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await operator.get(`/api/plans/${id}`)).body).toMatchObject({
      name: 'Larger',
      price,
      trialDays: 14,
      metadata,
    });
  });

  test('labels and references that another operator has just set are not overwritten', async () => {
    const id = await planOf('large');
    const plan = await browser.openAs(operator, `/catalogue/plans/${id}`);
    await plan.getByRole('button', { name: 'Edit plan' }).click();
    const edit = plan.getByRole('dialog', { name: /^Edit the plan/ });
    await edit.getByLabel('Plan at provider B').fill('P-LARGE');
    await operator.patch(`/api/plans/${id}`, { body: { metadata: { team: 'growth' } } });
    await edit.getByRole('button', { name: 'Save plan' }).click();
    await edit.waitFor({ state: 'detached' });
    const { metadata } = (await operator.get(`/api/plans/${id}`)).body;
    expect(metadata).toEqual({ team: 'growth', providerBPlanId: 'P-LARGE' });

    const connection = `/api/provider-connections/${idOf(
      await operator.post('/api/provider-connections', {
        body: {
          provider: 'provider_a',
          displayName: 'Ours',
          settings: { merchantId: 'old', planReferences: { small: 'price_small' } },
        },
      }),
    )}`;
    const page = await browser.openAs(operator, connection.replace('/api/provider-', '/'));
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit/ });
    for (let step = 0; step < 2; step += 1) await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel(/of plan 1$/).fill('price_typed');
    await operator.patch(connection, {
      body: {
        displayName: 'Theirs',
        settings: { merchantId: 'new', planReferences: { small: 'price_small', large: 'price_large' } },
      },
    });
    // Simulates the operator's return to the tab.
    await until(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return (await page.getByText('price_large').count()) > 0;
    });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('The connection is stored.').waitFor();
    expect((await operator.get(connection)).body).toMatchObject({
      displayName: 'Theirs',
      settings: { merchantId: 'new', planReferences: { small: 'price_typed', large: 'price_large' } },
    });
  });

  test('what another operator has added to a list of the settings, or removed from it, is kept', async () => {
    const page = await browser.openAs(operator, '/settings');
    const origins = page.getByRole('combobox', { name: 'Where checkouts may return to' });
    await origins.fill('https://mine.example.com');
    await origins.press('Enter');
    await page.getByLabel('Cancel', { exact: true }).uncheck();
    const { shows } = (await operator.get('/api/billing/portal')).body as { shows: string[] };
    await operator.patch('/api/billing/settings', {
      body: { returnOrigins: ['https://theirs.example.com'] },
    });
    await operator.patch('/api/billing/portal', { body: { shows: shows.filter((part) => part !== 'pay') } });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Save the page' }).click();
    await page.getByText('The customer’s page is saved.').waitFor();
    expect((await operator.get('/api/billing/settings')).body).toMatchObject({
      returnOrigins: ['https://theirs.example.com', 'https://mine.example.com'],
    });
    expect((await operator.get('/api/billing/portal')).body).toMatchObject({
      shows: shows.filter((part) => !['cancel', 'pay'].includes(part)),
    });
    await page.getByText('https://theirs.example.com').waitFor();
    expect(await page.getByLabel('Pay what is open').isChecked()).toBe(false);
  });

  test('what another operator has added to a list is kept by the next save, if more was typed during the first', async () => {
    const page = await browser.openAs(operator, '/settings');
    const origins = page.getByRole('combobox', { name: 'Where checkouts may return to' });
    const save = page.getByRole('button', { name: 'Save settings' });
    const add = async (origin: string) => {
      await origins.fill(origin);
      await origins.press('Enter');
    };
    await add('https://mine.example.com');
    await operator.patch('/api/billing/settings', {
      body: { returnOrigins: ['https://theirs.example.com'] },
    });
    const release = await hold(page, '**/api/billing/settings*', 'PATCH');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save.click();
    await sent;
    await add('https://more.example.com');
    release();
    await page.getByText('The settings are saved.').waitFor();
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await save.click();
    await saved;
    expect((await operator.get('/api/billing/settings')).body).toMatchObject({
      returnOrigins: ['https://theirs.example.com', 'https://mine.example.com', 'https://more.example.com'],
    });
  });

  test('a type that another operator has added to a webhook endpoint stays', async () => {
    const url = 'https://app.example.com/webhooks';
    const types = ['subscription.renewed'];
    const id = idOf(await operator.post('/api/webhook-endpoints', { body: { url, types } }));
    const page = await browser.openAs(operator, `/developer/webhooks/${id}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('checkbox', { name: 'subscription.expired' }).check();
    const theirs = [...types, 'subscription.cancelled'];
    const patched = await operator.patch(`/api/webhook-endpoints/${id}`, { body: { types: theirs } });
    expect(patched.status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await operator.get(`/api/webhook-endpoints/${id}`)).body).toMatchObject({
      types: [...theirs, 'subscription.expired'],
    });
  });

  test('a dimension of a feature and an alert of a plan that another operator has added stay', async () => {
    const { data: features } = (await operator.get('/api/features')).body as { data: { id: string }[] };
    const feature = `/api/features/${features[0]?.id ?? ''}`;
    const catalogue = await browser.openAs(operator, '/catalogue');
    await catalogue.getByRole('button', { name: /^Edit .*AI tokens/ }).click();
    const dimensions = catalogue.getByRole('combobox', { name: 'Dimensions' });
    await dimensions.fill('mine');
    await dimensions.press('Enter');
    expect((await operator.patch(feature, { body: { dimensions: ['theirs'] } })).status).toBe(200);
    await catalogue.getByRole('button', { name: 'Save feature' }).click();
    await catalogue.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await operator.get(feature)).body).toMatchObject({ dimensions: ['theirs', 'mine'] });

    const plan = await planOf('large');
    const entitlements = `/api/plans/${plan}/entitlements`;
    const read = async () =>
      ((await operator.get(entitlements)).body['data'] as { id: string; alertPercents: number[] }[])[0];
    const entitlement = `${entitlements}/${(await read())?.id ?? ''}`;
    await operator.patch(entitlement, { body: { alertPercents: [50] } });
    const page = await browser.openAs(operator, `/catalogue/plans/${plan}`);
    await page.getByRole('button', { name: /^Change .*AI tokens/ }).click();
    const alerts = page.getByRole('combobox', { name: /^Alerts at/ });
    await alerts.fill('90');
    await alerts.press('Enter');
    expect((await operator.patch(entitlement, { body: { alertPercents: [50, 75] } })).status).toBe(200);
    await page.getByRole('button', { name: 'Save entitlement' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await read())?.alertPercents.toSorted()).toEqual([50, 75, 90]);
  });

  test('what another operator adds while the second factor is asked for is kept', async () => {
    provoke(403);
    const other = await logIn(service, { role: 'admin', workspaceId: operator.workspaceId });
    const production = { env: 'production' } as const;
    const url = 'https://app.example.com/webhooks';
    const types = ['subscription.renewed'];
    const endpoint = `/api/webhook-endpoints/${idOf(await other.post('/api/webhook-endpoints', { ...production, body: { url, types } }))}`;
    const connection = `/api/provider-connections/${idOf(
      await other.post('/api/provider-connections', {
        body: {
          provider: 'provider_a',
          displayName: 'Ours',
          settings: { planReferences: { small: 'price_small' } },
        },
      }),
    )}`;
    const { app } = await enrol(service, operator);
    const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
    const confirm = async (page: Page) => {
      await question(page).getByRole('textbox', { name: 'Code' }).fill(app.next());
      await question(page).getByRole('button', { name: 'Confirm' }).click();
    };

    service.clock.ahead += 11 * 60_000;
    const page = await browser.openAs(operator, connection.replace('/api/provider-', '/'));
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit/ });
    for (let step = 0; step < 2; step += 1) await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel(/of plan 1$/).fill('price_typed');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await question(page).waitFor();
    const planReferences = { small: 'price_small', large: 'price_large' };
    expect((await other.patch(connection, { body: { settings: { planReferences } } })).status).toBe(200);
    await confirm(page);
    await dialog.getByText('The connection is stored.').waitFor();
    expect((await other.get(connection)).body).toMatchObject({
      settings: { planReferences: { small: 'price_typed', large: 'price_large' } },
    });

    service.clock.ahead += 11 * 60_000;
    const path = endpoint.replace('/api/webhook-endpoints', '/production/developer/webhooks');
    await page.goto(page.url().replace(/\/sandbox\/.*/, path));
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('checkbox', { name: 'subscription.expired' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await question(page).waitFor();
    const theirs = [...types, 'subscription.cancelled'];
    expect((await other.patch(endpoint, { ...production, body: { types: theirs } })).status).toBe(200);
    await confirm(page);
    await page.getByRole('dialog', { name: 'Change the endpoint' }).waitFor({ state: 'detached' });
    expect((await other.get(endpoint, production)).body).toMatchObject({
      types: [...theirs, 'subscription.expired'],
    });
  });

  test('parts of the customer’s page that another operator has all removed stay removed', async () => {
    const page = await browser.openAs(operator, '/settings');
    await page.getByLabel('Cancel', { exact: true }).uncheck();
    await operator.patch('/api/billing/portal', { body: { shows: [] } });
    await page.getByRole('button', { name: 'Save the page' }).click();
    await page.getByText('The customer’s page is saved.').waitFor();
    expect((await operator.get('/api/billing/portal')).body).toMatchObject({ shows: [] });
  });

  test('no plans to change to mean all, also after there were some', async () => {
    const page = await browser.openAs(operator, '/settings');
    const plans = page.getByRole('combobox', { name: 'Plans to change to' });
    const save = page.getByRole('button', { name: 'Save the page' });
    const saved = () => page.waitForResponse((response) => response.request().method() === 'PATCH');
    await plans.fill('small');
    await plans.press('Enter');
    const first = saved();
    await save.click();
    await first;
    expect((await operator.get('/api/billing/portal')).body).toMatchObject({ plans: ['small'] });
    await plans.press('Backspace');
    const second = saved();
    await save.click();
    await second;
    expect((await operator.get('/api/billing/portal')).body).toMatchObject({ plans: null });
  });

  test('an entry that another operator adds to a list appears next to the one that was typed', async () => {
    const page = await browser.openAs(operator, '/settings');
    const origins = page.getByRole('combobox', { name: 'Where checkouts may return to' });
    await origins.fill('https://mine.example.com');
    await origins.press('Enter');
    await operator.patch('/api/billing/settings', {
      body: { returnOrigins: ['https://theirs.example.com'] },
    });
    // Simulates the operator's return to the tab.
    await until(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return (await page.getByText('https://theirs.example.com').count()) > 0;
    });
    expect(await page.getByText('https://mine.example.com').count()).toBe(1);
  });

  test('settings that another operator saves appear next to the input, and are kept', async () => {
    const page = await browser.openAs(operator, '/settings');
    await page.getByLabel('Grace, days').fill('11');
    await operator.patch('/api/billing/settings', { body: { approvalDays: 9 } });
    await until(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return (await page.getByLabel('Approval, days').inputValue()) === '9';
    });
    expect(await page.getByLabel('Grace, days').inputValue()).toBe('11');
    await operator.patch('/api/billing/settings', { body: { keyRequestsPerSecond: 77 } });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect((await operator.get('/api/billing/settings')).body).toMatchObject({
      graceDays: 11,
      approvalDays: 9,
      keyRequestsPerSecond: 77,
    });
  });

  test('what another operator has deleted is left by deleting it, too', async () => {
    provoke(404);
    const path = `/api/plans/${await planOf('large')}`;
    const page = await browser.openAs(operator, path.replace('/api', '/catalogue'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    expect((await operator.delete(path)).status).toBe(204);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the page of what another operator has deleted says so after any action on it', async () => {
    // The latter is of the page that is replaced.
    provoke(404, 'No webhook endpoint of this environment has this id.');
    const body = { url: 'https://hooks.example.com/deleted' };
    const path = `/api/webhook-endpoints/${idOf(await operator.post('/api/webhook-endpoints', { body }))}`;
    const page = await browser.openAs(
      operator,
      path.replace('/api/webhook-endpoints', '/developer/webhooks'),
    );
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Ours');
    expect((await operator.delete(path)).status).toBe(204);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'There is no such webhook endpoint.' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
