import type { Page, Route } from 'playwright-core';
import { ConsoleBrowser, DRAWN, findBarriers, inBrowser, keepScreenshot } from '../console/browser';
import type { Integrator } from '../support/integrator';
import { contrastBetween } from '../../src/domain/contrast';
import { DAY_MS } from '../../src/domain/instant';
import { PORTAL_PARTS } from '../../src/domain/portal';
import type { PortalView } from '../../src/portal/portal-view-schema';
import { CatalogueSeeder } from '../support/catalogue';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { ProviderWorld } from '../support/provider-world';
import { until } from '../support/until';
import { linkFor, portalIntegrator } from './visitor';

/** Markup, a right-to-left override and emoji. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202E{{7*7}} 👩‍🚀&amp;';

let world: ProviderWorld;
let browser: ConsoleBrowser;
let app: Integrator;
/** Pages of the running test. */
const opened: Page[] = [];

inBrowser('the customer’s page (skipped without CHROMIUM_PATH)', () => {
  beforeAll(async () => {
    world = await ProviderWorld.start();
    browser = await ConsoleBrowser.start(world.service.urls.sandbox);
    app = await portalIntegrator(world.service, world.scope);
  });
  afterEach(async () => {
    // A page that stays open keeps polling.
    for (const page of opened.splice(0)) await page.context().close();
    // No error, no refused style or script, and no request to another host.
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.stop();
    await world.stop();
  });

  type Look = Parameters<ConsoleBrowser['open']>[1];

  async function open(at: string, look: Look = {}): Promise<Page> {
    const page = await browser.open(at.replace(browser.url, ''), look);
    opened.push(page);
    return page;
  }

  /** Opens a customer's page with a link, as the customer does. */
  async function visit(externalId: string, look: Look = {}): Promise<Page> {
    const link = await linkFor(app, externalId);
    const page = await open(link, look);
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your subscription', exact: true }).waitFor();
    return page;
  }

  /** Answers a read of the page as a service that does not know of refunds under way. */
  async function answerAsEarlier(route: Route): Promise<void> {
    const response = await route.fetch();
    const view = (await response.json()) as PortalView;
    const payments = view.payments.map(({ beingRefunded, ...payment }) => ({
      ...payment,
      refunded: beingRefunded,
    }));
    await route.fulfill({ response, json: { ...view, payments } });
  }

  /** Creates a customer with a subscription in local billing, at five seats. */
  async function local(externalId: string, plan = 'starter', name = 'Jo Doe'): Promise<string> {
    await app.send('PUT', `/v1/customers/${encodeURIComponent(externalId)}`, { name });
    const key = { 'Idempotency-Key': `open-${externalId}` };
    const made = await app.send('POST', '/v1/subscriptions', { externalId, planSlug: plan }, key);
    expect(made.status).toBe(201);
    return String(made.body['id']);
  }

  test('a link opens once, leaves no token behind, and a second time says why not', async () => {
    await local('once');
    const link = await linkFor(app, 'once', { returnUrl: 'https://app.example.com/account' });
    const page = await open(link);
    expect(page.url()).toBe(`${browser.url}/portal`);
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('$10.00 per month').waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: '__Host-tollgate_portal_sandbox',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    });
    const back = page.getByRole('link', { name: /^Back to .*Acme/ });
    expect(await back.getAttribute('href')).toBe('https://app.example.com/account');
    // A reload keeps the page; the link does not open a second time, here or elsewhere.
    await page.reload();
    await page.getByText('$10.00 per month').waitFor();
    const other = await open(link);
    await other.getByRole('button', { name: 'Open the page' }).click();
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    expect(await findBarriers(other)).toEqual([]);
    await page.getByRole('button', { name: 'Leave this page' }).click();
    await page.getByRole('heading', { name: 'You have left the page' }).waitFor();
    // The browser itself reports the 404.
    expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  test('a link whose answer was lost is not said to be unused', async () => {
    await local('answer-lost');
    const page = await open(await linkFor(app, 'answer-lost'));
    await page.route(
      '**/portal/api/session',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page
      .getByText(/^The page did not open\. Try again\. If the link then no longer works, open /)
      .waitFor();
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    browser.complaints.splice(0);
  });

  test('with forced colours, the bar of a quota has an outline and a colour of the system', async () => {
    await local('forced');
    await app.track('forced', 'api_calls', 40);
    const page = await visit('forced');
    await page.emulateMedia({ forcedColors: 'active' });
    const bar = page.getByRole('meter').first();
    await bar.waitFor();
    const style = `[...document.querySelectorAll('meter')].slice(0, 1).map((bar) => {
      const { outlineWidth, outlineStyle, forcedColorAdjust } = getComputedStyle(bar);
      return [outlineWidth, outlineStyle, forcedColorAdjust];
    })[0]`;
    expect(await page.evaluate(style)).toEqual(['1px', 'solid', 'none']);
    await keepScreenshot(page, 'portal-forced-colours');
  });

  test('shows the plan, quotas, charges and payments, and what an application does, without a reload', async () => {
    await local('usage', 'starter', HOSTILE);
    await app.track('usage', 'api_calls', 40);
    const page = await visit('usage');
    await page.getByText(`For \u2068${HOSTILE}\u2069`).waitFor();
    await page.getByText(/^It renews on \d+ |^It renews on \w+ \d+, \d{4}\.$/).waitFor();
    await page.getByText('40 of 100').waitFor();
    await page.getByText('A payment is open.').waitFor();
    await page.getByText(/^Pay it in the way you have agreed with .*Acme/).waitFor();
    await app.track('usage', 'api_calls', 2);
    await page.getByText('42 of 100').waitFor();
    const { body } = await app.send('GET', '/v1/transactions');
    const [owed] = body['data'] as { id: string; total: object }[];
    const paid = { transactionId: owed?.id, amount: owed?.total };
    await app.send('POST', '/v1/payments', paid, { 'Idempotency-Key': 'pay-usage' });
    await page.getByText('Received').waitFor();
    await page.getByText('A payment is open.').waitFor({ state: 'detached' });
    await page.getByText(/First period/).click();
    await page
      .getByText(/starter/)
      .last()
      .waitFor();
  });

  test('a quota that each of the customer’s users has is not called unlimited', async () => {
    const seed = new CatalogueSeeder(world.service.database, world.scope);
    const entitlements = [
      { feature: 'messages', quota: null, entityQuota: 5 },
      { feature: 'pages', quota: null },
    ];
    await seed.plan('for-each', entitlements);
    await local('for-each', 'for-each');
    await app.track('for-each', 'messages', 3, 'for-each-1', { entity: 'user_1' });
    await app.track('for-each', 'messages', 4, 'for-each-2', { entity: 'user_2' });
    const page = await visit('for-each');
    await page.getByText('7 used, with a limit for each user or the like').waitFor();
    await page.getByText('0 used, unlimited').waitFor();
  });

  test('a preview says how many users the plans allow, if the service tells', async () => {
    const { planGroupId } = await world.seed.plan('open-team', []);
    const { planId } = await world.seed.plan('small-team', [], { plan_group_id: planGroupId });
    expect((await world.operator.patch(`/api/plans/${planId}`, { body: { entityLimit: 5 } })).status).toBe(
      200,
    );
    await local('team', 'open-team');
    const page = await visit('team');
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change plan' });
    await dialog.getByRole('radio', { name: /small-team/ }).check();
    await dialog.getByText('any number → at most 5').waitFor();
    await dialog.getByText('If you have more, all of them stay, but you cannot add another one.').waitFor();
    // During an upgrade, an earlier version of the service may answer.
    await page.route('**/preview', async (route) => {
      const response = await route.fetch();
      const { entityLimit: _, ...earlier } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: earlier });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await dialog.getByRole('radio', { name: /small-team/ }).check();
    await dialog.getByRole('button', { name: /^Change (now|on) / }).waitFor();
    expect(await dialog.getByText('Users, projects or the like').count()).toBe(0);
  });

  test('where tax is added to the price, it is added to those of the other plans, too', async () => {
    const settings = '/api/billing/settings';
    const taxed = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate: '0.19' }] };
    expect((await world.operator.patch(settings, { body: taxed })).status).toBe(200);
    await local('taxed');
    expect((await world.operator.patch(settings, { body: { taxBehavior: 'none' } })).status).toBe(200);
    const page = await visit('taxed');
    await page.getByText(/^\$[\d.]+ per month.*, plus tax$/).waitFor();
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change plan' });
    await dialog.getByText(/^Now: .*, plus tax$/).waitFor();
    const prices = await dialog.locator('label.option').allTextContents();
    expect(prices.length).toBeGreaterThan(0);
    for (const price of prices) expect(price).toMatch(/, plus tax$/);
  });

  test('a change of plan is previewed, and made once whatever is pressed, in the customer’s name', async () => {
    const id = await local('upgrade');
    const page = await visit('upgrade');
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change plan' });
    await dialog.getByRole('radio', { name: /pro/ }).check();
    await dialog.getByText('The change takes effect at once.').waitFor();
    await dialog.getByText('100 a billing period → 1,000 a billing period').waitFor();
    const confirm = dialog.getByRole('button', { name: /^Change now for \$\d+\.\d\d$/ });
    const promised = /\$[\d.]+/.exec((await confirm.textContent()) ?? '')?.[0];
    await confirm.dblclick();
    await page.getByText('Your change is made.').waitFor();
    await page.getByRole('heading', { name: 'pro' }).waitFor();
    const transactions = await app.send('GET', `/v1/transactions?subscriptionId=${id}`);
    const charged = (transactions.body['data'] as { kind: string; total: { amount: string } }[]).filter(
      ({ kind }) => kind === 'proration',
    );
    expect(charged).toHaveLength(1);
    expect(`$${(Number(charged[0]?.total.amount) / 100).toFixed(2)}`).toBe(promised);
    const audit = await world.operator.get('/api/audit', { query: { action: 'subscription.upgraded' } });
    expect(audit.body['data']).toContainEqual(
      expect.objectContaining({ reason: 'CUSTOMER', operator: null, apiKey: null }),
    );
    const events = await app.send('GET', `/v1/events?subscriptionId=${id}&eventType=SUBSCRIPTION_CHANGED`);
    expect((events.body['data'] as { source: string }[])[0]?.source).toBe('portal');
  });

  test.each([
    ['exclusive', 'Tax', 'Tax', '$1.90'],
    ['inclusive', 'Tax, included in the amounts', 'Tax, included in the amount', '$1.60'],
  ])(
    'with %s tax, a charge and a preview say whether their amounts contain it',
    async (taxBehavior, ofChange, ofCharge, tax) => {
      const setTax = async (body: object): Promise<void> => {
        expect((await world.operator.patch('/api/billing/settings', { body })).status).toBe(200);
      };
      await setTax({ taxBehavior, taxRates: [{ name: 'VAT', rate: '0.19' }] });
      await local(`taxed-${taxBehavior}`);
      await setTax({ taxBehavior: 'none', taxRates: [] });
      const page = await visit(`taxed-${taxBehavior}`);
      await page.getByText(/First period/).click();
      const line = page.getByRole('listitem').filter({ has: page.getByText(ofCharge, { exact: true }) });
      await line.getByText(tax, { exact: true }).last().waitFor();
      await page.getByRole('button', { name: 'Change plan' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change plan' });
      await dialog.getByRole('radio', { name: /pro/ }).check();
      await dialog.getByText(ofChange, { exact: true }).waitFor();
    },
  );

  test('the preview of a change follows concurrent changes, and is what is charged', async () => {
    const { planGroupId } = await world.seed.plan('crew', [], { pricing: 'per_seat', price_amount: 1_000 });
    const dear = { plan_group_id: planGroupId, pricing: 'per_seat', price_amount: 100_000 };
    await world.seed.plan('fleet', [], dear);
    const { planId: old } = await world.seed.plan('barge', [], dear);
    const id = await local('two-tabs', 'crew');
    const page = await visit('two-tabs');
    await page.getByRole('button', { name: 'Change plan' }).click();
    const barge = page.getByRole('radio', { name: /barge/ });
    await barge.check();
    const press = page.getByRole('button', { name: /^Change now for/ });
    await press.waitFor();
    // Archived while the change is on its way: the page asks for the plans every few seconds.
    const archive = async (route: Route): Promise<void> => {
      expect((await world.operator.post(`/api/plans/${old}/archive`, { body: {} })).status).toBe(200);
      await route.continue();
    };
    await page.route('**/change', archive, { times: 1 });
    await press.click();
    await page.getByText('This plan is no longer offered.').first().waitFor();
    await barge.waitFor({ state: 'detached' });
    await page.getByText('Choose a plan to see what it would do.').waitFor();
    await page.keyboard.press('Escape');
    browser.complaints.splice(0);
    await page.getByRole('button', { name: 'Change seats' }).click();
    await page.getByRole('textbox', { name: 'Number of seats' }).fill('5');
    // A cent less for every few minutes that have passed.
    const confirm = page.getByRole('button', { name: /^Change now for \$(?:40\.00|39\.\d\d)$/ });
    await confirm.waitFor();
    const key = { 'Idempotency-Key': 'two-tabs' };
    const change = { planSlug: 'fleet' };
    expect((await app.send('POST', `/v1/subscriptions/${id}/change`, change, key)).status).toBe(200);
    await confirm.waitFor({ state: 'detached' });
    const newPrice = page.getByRole('button', { name: /^Change now for \$(?:4,000|3,9\d\d)\.\d\d$/ });
    await newPrice.click();
    await page.getByText('Your change is made.').waitFor();
    expect(await world.show(id)).toMatchObject({ seats: 5, plan: { slug: 'fleet' } });
  });

  test('seats and a downgrade: planned for the renewal, and withdrawn', async () => {
    const id = await local('downgrade', 'pro');
    const page = await visit('downgrade');
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('radio', { name: /starter/ }).check();
    await page.getByRole('button', { name: /^Change on / }).click();
    await page.getByText(/^It changes to .*starter.* on /).waitFor();
    await page.getByRole('button', { name: 'Keep the current plan and seats' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep the current plan and seats' }).click();
    await page.getByText('The planned change is withdrawn.').waitFor();
    await page.getByText(/^It renews on /).waitFor();
    await page.getByRole('button', { name: 'Change seats' }).click();
    await page.getByRole('textbox', { name: 'Number of seats' }).fill('zero');
    await page.getByText('Enter a whole number').waitFor();
    await page.getByRole('textbox', { name: 'Number of seats' }).fill('3');
    await page.getByRole('button', { name: /^Change now/ }).click();
    await page.getByText('Your change is made.').waitFor();
    expect(await world.show(id)).toMatchObject({ seats: 3, plan: { slug: 'pro' } });
  });

  test('a decrease to one seat says so until it takes effect', async () => {
    await local('one-seat');
    const page = await visit('one-seat');
    const change = async (seats: string, confirm: RegExp): Promise<void> => {
      await page.getByRole('button', { name: 'Change seats' }).click();
      await page.getByRole('textbox', { name: 'Number of seats' }).fill(seats);
      await page.getByRole('button', { name: confirm }).click();
    };
    await change('3', /^Change now/);
    await page.getByText('Your change is made.').waitFor();
    await change('1', /^Change on /);
    await page.getByText(/^It changes to \u2068starter\u2069 with 1 seat on /).waitFor();
    await keepScreenshot(page, 'portal-one-seat');
  });

  test('a cancellation in a trial says nothing of what was paid', async () => {
    await world.seed.plan('tried', [], { trial_days: 14, price_amount: 1_000 });
    await local('in-trial', 'tried');
    const page = await visit('in-trial');
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel your subscription?' });
    await dialog.getByText('A cancellation is final.').waitFor();
    expect(await dialog.getByText('paid').count()).toBe(0);
  });

  test('local billing: a cancellation is final, says so before, and ends at once', async () => {
    const id = await local('cancel');
    const page = await visit('cancel');
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel your subscription?' });
    // One cannot start a new subscription instead of cancelling.
    await dialog
      .getByText('A cancellation is final. To continue later, you need a new subscription.')
      .waitFor();
    await dialog.getByText('This does not refund what you have paid for the period.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await dialog.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText(/^It ended on /).waitFor();
    await page.getByText('A cancellation is final.').waitFor();
    expect(await world.show(id)).toMatchObject({ status: 'cancelled' });
    // A link opened in another tab makes this the page of its customer, who has cancelled nothing.
    await page.getByText('Your subscription is cancelled.').waitFor();
    await local('cancel-other', 'starter', 'Someone else');
    const link = await linkFor(app, 'cancel-other');
    const tab = await browser.another(page.context(), link.replace(browser.url, ''));
    await tab.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('Someone else').waitFor();
    expect(await page.getByText('Your subscription is cancelled.').count()).toBe(0);
  });

  test('provider A: a cancellation with the period, and its way back', async () => {
    const { externalId, id } = await world.subscribe('provider_a');
    const page = await visit(externalId);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: /^Cancel on / }).click();
    await page.getByText(/^It ends on .* and does not renew\.$/).waitFor();
    // A quota does not start again when the subscription ends.
    expect(await page.getByText('Starts again').count()).toBe(0);
    expect(await world.show(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await page.getByText('Reactivate it before changing it.').first().waitFor();
    await page.getByRole('button', { name: 'Reactivate subscription' }).click();
    await page.getByRole('button', { name: 'Reactivate', exact: true }).click();
    await page.getByText('Your subscription continues.').waitFor();
    await page.getByText(/^It renews on /).waitFor();
    await page.getByText('Starts again').first().waitFor();
    expect(await world.show(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  test('provider A: an end that is heard of days later is still the day on which it ended', async () => {
    const { externalId, id } = await world.subscribe('provider_a');
    const cancelled = await world.operator.post(`/api/billing/subscriptions/${id}/cancel`, {
      body: {},
      headers: { 'Idempotency-Key': 'late-end' },
    });
    expect(cancelled.status).toBe(200);
    const end = periodEnd(await world.show(id));
    // It was recorded three days after its period.
    await world.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, updated_at = $2, next_wake_at = NULL
        WHERE id = $1`,
      [id, new Date(end + 3 * DAY_MS)],
    );
    const page = await visit(externalId);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Europe/Berlin' });
    await page.getByText(`It ended on ${day.format(end)}.`).waitFor();
  });

  test('provider A: one that is past due is cancelled and reactivated too', async () => {
    const row = new ProviderARow(world);
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'declines');
    await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
    const page = await visit(subscription.externalId);
    await page.getByRole('link', { name: 'Pay now' }).waitFor();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByText('use it as before').count()).toBe(0);
    await dialog.getByRole('button', { name: /^Cancel on / }).click();
    await page.getByText(/^A payment is overdue\. .* It ends on .* and does not renew\.$/).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel subscription' }).count()).toBe(0);
    await keepScreenshot(page, 'portal-past-due-cancelled');
    await page.getByRole('button', { name: 'Reactivate subscription' }).click();
    await page.getByRole('button', { name: 'Reactivate', exact: true }).click();
    await page.getByText('Your subscription continues.').waitFor();
    await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
    expect(await world.show(subscription.id)).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: false });
    await row.rest();
  });

  test('provider A: one that ends after its next renewal says that it renews before', async () => {
    const row = new ProviderARow(world);
    const subscription = await row.subscribe();
    const until = periodEnd(await world.show(subscription.id)) + 10 * DAY_MS;
    await row.updateAtProvider(subscription, { cancel_at: String(until / 1_000) });
    await world.settle();
    const page = await visit(subscription.externalId);
    await page.getByText(/^It renews on .*, and ends on /).waitFor();
    await page.getByRole('button', { name: 'Reactivate subscription' }).waitFor();
    await row.rest();
  });

  test('a later refusal is shown until it is closed, after a reload too, and until something else is done', async () => {
    const row = new ProviderARow(world);
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'declines');
    const page = await visit(subscription.externalId);
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'A request that took longer was not carried out.' });
    const refuseLater = async (): Promise<void> => {
      row.meetSilence(subscription);
      await page.getByRole('button', { name: 'Change plan' }).click();
      await page.getByRole('radio', { name: /large/ }).check();
      await page.getByRole('button', { name: /^Change now/ }).click();
      await page.getByText('This takes a little longer.').waitFor();
      await row.settleLater();
      await alert.getByText('The card was declined, so nothing was changed.').waitFor();
      expect(await page.getByText('This takes a little longer.').count()).toBe(0);
    };
    await refuseLater();
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
    await refuseLater();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: /^Cancel on / }).click();
    await page.getByText('Your subscription is cancelled.').waitFor();
    expect(await alert.count()).toBe(0);
    await row.rest();
  });

  test('two tabs wait for the commands of both, after a reload too', async () => {
    await local('tabs');
    const first = await visit('tabs');
    const second = await browser.another(first.context(), '/portal');
    const underWay = { state: 'under_way', code: null, reason: null };
    await first.context().route('**/operations/**', (route) => route.fulfill({ json: underWay }));
    for (const [tab, operationId] of [
      [first, 'op_1'],
      [second, 'op_2'],
    ] as const) {
      await tab.route('**/cancel', (route) => route.fulfill({ status: 202, json: { operationId } }));
      await tab.getByRole('button', { name: 'Cancel subscription' }).click();
      await tab.getByRole('button', { name: 'Cancel now' }).click();
      await tab.getByText('This takes a little longer.').waitFor();
    }
    const waits = ['op_1', 'op_2'].map((id) => second.waitForRequest(`**/operations/${id}?*`));
    await second.reload();
    await Promise.all(waits);
  });

  test('after a reload, a command that is still under way is said to be, once, and later that it was carried out', async () => {
    await local('reloaded');
    const page = await visit('reloaded');
    let state = 'under_way';
    let polls = 0;
    await page.route('**/operations/**', async (route) => {
      polls += 1;
      await route.fulfill({ json: { state, code: null, reason: null } });
    });
    await page.route('**/cancel', (route) => route.fulfill({ status: 202, json: { operationId: 'op_1' } }));
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Cancel now' }).click();
    const said = page.getByRole('status').filter({ hasText: 'This takes a little longer.' });
    await said.waitFor();
    await page.reload();
    await said.waitFor();
    await keepScreenshot(page, 'portal-under-way-after-a-reload');
    await said.getByRole('button', { name: 'Close' }).click();
    await said.waitFor({ state: 'detached' });
    const seen = polls;
    await until(() => polls > seen + 1);
    expect(await said.count()).toBe(0);
    state = 'done';
    await page.getByRole('status').getByText('A request that took longer has been carried out.').waitFor();
  });

  test('an outcome that comes by itself moves neither the page nor the keyboard', async () => {
    await local('reading');
    const page = await visit('reading');
    await page.setViewportSize({ width: 320, height: 480 });
    let state = 'under_way';
    await page.route('**/operations/**', (route) =>
      route.fulfill({ json: { state, code: null, reason: null } }),
    );
    await page.route('**/cancel', (route) => route.fulfill({ status: 202, json: { operationId: 'op_1' } }));
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText('This takes a little longer.').waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'This takes a little longer.' }).waitFor();
    await page.getByRole('heading', { name: 'Usage' }).scrollIntoViewIfNeeded();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight); document.activeElement.blur()');
    state = 'done';
    await page.getByText('A request that took longer has been carried out.').waitFor();
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
    // The message is shorter than the one before, and the page with it.
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(100);
  });

  test('with a full storage, a tab waits for its second command and for the first', async () => {
    await local('full');
    const page = await visit('full');
    await page.evaluate(
      `Storage.prototype.setItem = () => { throw new DOMException('Full.', 'QuotaExceededError'); };`,
    );
    const polled: string[] = [];
    await page.route('**/operations/**', async (route) => {
      polled.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      await route.fulfill({ json: { state: 'under_way', code: null, reason: null } });
    });
    for (const operationId of ['op_1', 'op_2']) {
      await page.route('**/cancel', (route) => route.fulfill({ status: 202, json: { operationId } }));
      await page.getByRole('button', { name: 'Cancel subscription' }).click();
      await page.getByRole('button', { name: 'Cancel now' }).click();
      await until(() => polled.includes(operationId));
    }
    // Every outcome that the tab waits for is read between two readings of the same one.
    const readings = (): number[] => polled.flatMap((id, place) => (id === 'op_2' ? [place] : []));
    await until(() => readings().length >= 2);
    expect(polled.slice(...readings().slice(0, 2))).toEqual(['op_2', 'op_1']);
  });

  test('provider B: a change is approved on the provider’s page, and this one shows it', async () => {
    const { externalId, id } = await world.subscribe('provider_b');
    const page = await visit(externalId);
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('radio', { name: /large/ }).check();
    await page.getByText('You approve the change at the payment provider.').waitFor();
    await page.getByRole('button', { name: 'Ask for the change' }).click();
    await page.getByText(/^The change to .*large.* waits for your approval until /).waitFor();
    const link = await page.getByRole('link', { name: 'Approve the change' }).getAttribute('href');
    const provider = await browser.elsewhere(link ?? '');
    const answered = provider.waitForResponse((response) => response.request().method() === 'POST');
    await provider.getByRole('button', { name: 'Agree and subscribe' }).click();
    await answered;
    await world.settle();
    await page.getByText(/^It changes to .*large.* on /).waitFor();
    expect((await world.show(id)).plan.slug).toBe('pro');
    // Only another approval changes it back.
    const keep = page.getByRole('button', { name: 'Keep the current plan and seats' });
    expect(await keep.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('Request a change back to the current plan instead.').waitFor();
  });

  test('provider C: a change that it does not offer says so', async () => {
    const { externalId } = await world.subscribe('provider_c');
    const page = await visit(externalId);
    const change = page.getByRole('button', { name: 'Change plan' });
    expect(await change.getAttribute('aria-disabled')).toBe('true');
    expect(await change.getAttribute('aria-describedby')).not.toBeNull();
    await page.getByText('does not support plan or seat changes').first().waitFor();
    // The provider's charges are not Tollgate's: only its payments are listed.
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Charges' }).count()).toBe(0);
    // A click could miss the button while the page still moves.
    await change.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    // A refund that C has accepted may still fail.
    const { body } = await app.send('GET', '/v1/payments?provider=provider_c');
    const payments = body['data'] as { id: string; externalId: string }[];
    const paymentId = payments.find((one) => one.externalId === externalId)?.id;
    const refund = { paymentId, amount: { amount: '1000', currency: 'USD' } };
    await app.send('POST', '/v1/refunds', refund, { 'Idempotency-Key': 'refund-c' });
    await page.getByText('$10.00 being paid back').waitFor();
    expect(await page.getByText('$10.00 paid back').count()).toBe(0);
    // During an upgrade, an earlier version of the service may answer, which does not tell the two apart.
    await page.route('**/portal/api/view', answerAsEarlier, { times: 1 });
    await page.reload();
    await page.getByText('$10.00 paid back').waitFor();
  });

  test('an overdue amount is paid at the provider', async () => {
    await app.send('PUT', '/v1/customers/buyer', { name: 'Buyer', email: 'buyer@example.test' });
    const checkout = { externalId: 'buyer', planSlug: 'pro', provider: 'provider_a' };
    const key = { 'Idempotency-Key': 'buyer' };
    const made = await app.send('POST', '/v1/checkouts', checkout, key);
    const once = { externalId: 'buyer', provider: 'provider_a', description: 'Set-up <b>' };
    await app.send(
      'POST',
      '/v1/checkouts',
      { ...once, amount: { amount: '4900', currency: 'USD' } },
      { 'Idempotency-Key': 'buyer-2' },
    );
    const page = await visit('buyer');
    await page.getByText(/^It begins with your first payment/).waitFor();
    await page.getByText('There is no usage to show without an active subscription.').waitFor();
    await page.getByText('Set-up <b>').waitFor();
    const link = page.getByRole('link', { name: 'Pay now' }).first();
    expect(await link.getAttribute('href')).toBe(made.body['url']);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await world.pay('provider_a', (await link.getAttribute('href')) ?? '');
    await world.settle();
    await page.getByText(/^It renews on /).waitFor();
  });

  test('a first payment that is not made on the page is not said to be collected by the provider', async () => {
    await app.send('PUT', '/v1/customers/first', { name: 'First', email: 'first@example.test' });
    const checkout = { externalId: 'first', planSlug: 'pro', provider: 'provider_a' };
    await app.send('POST', '/v1/checkouts', checkout, { 'Idempotency-Key': 'first' });
    const show = async (shows: readonly string[]): Promise<void> => {
      expect((await world.operator.patch('/api/billing/portal', { body: { shows } })).status).toBe(200);
    };
    await show(PORTAL_PARTS.filter((part) => part !== 'pay'));
    try {
      const page = await visit('first');
      await page.getByText(/^Pay it in the way you have agreed with /).waitFor();
      expect(await page.getByText('tries to collect it again').count()).toBe(0);
    } finally {
      await show(PORTAL_PARTS);
    }
  });

  test('provider A: what is overdue is paid on the invoice’s page', async () => {
    const row = new ProviderARow(world);
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'declines');
    await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
    expect((await world.show(subscription.id)).status).toBe('past_due');
    const page = await open(await linkFor(app, subscription.externalId));
    // The provider does not answer at first.
    await page.route('**/pay-link?*', (route) => route.fulfill({ json: { url: null } }), { times: 1 });
    await page.clock.install();
    const unknown = page.waitForResponse('**/pay-link?*');
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('Payment overdue').waitFor();
    await (await unknown).finished();
    await page.getByText('The payment provider tries to collect it again').waitFor();
    await page.clock.fastForward(15_000);
    const change = page.getByRole('button', { name: 'Change plan' });
    expect(await change.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('A payment is past due.').first().waitFor();
    const link = page.getByRole('link', { name: 'Pay now' });
    const provider = await browser.elsewhere((await link.getAttribute('href')) ?? '');
    // By a webhook, the page could learn of the payment before the customer says so.
    row.lose(true);
    const answered = provider.waitForResponse((response) => response.request().method() === 'POST');
    await provider.getByRole('button', { name: 'Pay' }).click();
    await answered;
    await page.getByRole('button', { name: 'I have paid: check now' }).click();
    await page.getByText('Asking the payment provider.').waitFor();
    await world.settle();
    await page.getByText('Payment overdue').waitFor({ state: 'detached' });
    expect((await world.show(subscription.id)).status).toBe('active');
    await row.rest();
  });

  test('the buttons stay in their place when the page to pay on becomes known', async () => {
    const row = new ProviderARow(world);
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'declines');
    await world.advanceTo(periodEnd(await world.show(subscription.id)) + 60_000);
    const page = await open(await linkFor(app, subscription.externalId));
    const held: Route[] = [];
    await page.route('**/pay-link?*', (route) => void held.push(route));
    await page.getByRole('button', { name: 'Open the page' }).click();
    const button = page.getByRole('button', { name: 'Cancel subscription' });
    const before = await button.boundingBox();
    await until(() => held.length > 0);
    expect(await page.getByRole('link', { name: 'Pay now' }).count()).toBe(0);
    await held[0]?.continue();
    await page.getByRole('link', { name: 'Pay now' }).waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await row.rest();
  });

  /** Makes the page read its view again, changed, and resolves once it had the time to show it. */
  async function arrive(page: Page, change: (view: PortalView) => PortalView): Promise<void> {
    await page.route('**/portal/api/view?*', async (route) => {
      const { 'if-none-match': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      await route.fulfill({ response, json: change((await response.json()) as PortalView) });
    });
    const answer = page.waitForResponse('**/portal/api/view?*');
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await (await answer).finished();
    await page.evaluate(DRAWN);
  }

  test('a press is not lost by what arrives meanwhile, which is shown after it', async () => {
    await local('pressing');
    const page = await visit('pressing');
    const button = page.getByRole('button', { name: 'Cancel subscription' });
    await button.hover();
    await page.mouse.down();
    await arrive(page, (view) => ({
      ...view,
      subscriptions: [...view.subscriptions.map((one) => ({ ...one, id: 'another' })), ...view.subscriptions],
    }));
    await page.mouse.up();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    await until(async () => (await button.count()) === 2);
  });

  test('a press that ends in a menu, and a click that something stops, delay nothing', async () => {
    await local('stopped');
    const page = await visit('stopped');
    const button = page.getByRole('button', { name: 'Change plan' });
    // What is waited for after a release, or longest for one, never comes to its end.
    await page.evaluate(`{
      const later = window.setTimeout;
      window.setTimeout = (run, ms) => (ms === 300 || ms === 5_000 ? 0 : later(run, ms));
    }`);
    // As the Ctrl key does on a Mac.
    await button.dispatchEvent('pointerdown', { button: 0, ctrlKey: true });
    await button.dispatchEvent('contextmenu', { button: 0, ctrlKey: true });
    await arrive(page, (view) => ({ ...view, customer: { ...view.customer, name: 'Renamed' } }));
    await page.getByText('Renamed').first().waitFor();

    await page.evaluate("document.addEventListener('click', (event) => event.stopPropagation())");
    await button.click();
    await page.getByRole('dialog').waitFor();
  });

  test('a button that becomes unavailable keeps the focus, and says why', async () => {
    await local('focused');
    const page = await visit('focused');
    const button = page.getByRole('button', { name: 'Change plan' });
    await button.focus();
    await arrive(page, (view) => ({
      ...view,
      subscriptions: view.subscriptions.map(({ capabilities, ...one }) => ({
        ...one,
        capabilities: {
          ...capabilities,
          planChange: { ...capabilities.planChange, available: false, reason: 'Not now.' },
        },
      })),
    }));
    await page.getByText('Not now.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Change plan');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('provider B: what is overdue has no page to pay on, and none is looked for again', async () => {
    const { externalId, id } = await world.subscribe('provider_b');
    await world.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = $2 WHERE id = $1`,
      [id, new Date(await world.now())],
    );
    const page = await open(await linkFor(app, externalId));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.clock.install();
    const answer = page.waitForResponse('**/pay-link?*');
    await page.getByRole('button', { name: 'Open the page' }).click();
    expect(await (await answer).json()).toEqual({ url: null, mayExist: false });
    await page.getByText('The payment provider tries to collect it again').waitFor();
    const read = page.waitForResponse('**/portal/api/view?watching=true');
    await page.clock.fastForward(60_000);
    await read;
    expect(requests.filter((url) => url.includes('/pay-link'))).toHaveLength(1);
  });

  test('provider B: a customer who is asked to approve a change reads as well what is overdue', async () => {
    const { externalId, id } = await world.subscribe('provider_b');
    const asked = await app.send(
      'POST',
      `/v1/subscriptions/${id}/change`,
      { planSlug: 'large' },
      { 'Idempotency-Key': `ask-${id}` },
    );
    expect(asked.status).toBe(200);
    await world.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = $2 WHERE id = $1`,
      [id, new Date(await world.now())],
    );
    const page = await open(await linkFor(app, externalId));
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page
      .getByText(/ waits for your approval until .*\. A payment is overdue\. You have access until /)
      .waitFor();
    await page.getByText('The payment provider tries to collect it again').waitFor();
    await page.getByRole('button', { name: 'I have paid: check now' }).waitFor();
  });

  test('provider C: a customer is told that what is overdue is not collected again before the renewal', async () => {
    const { externalId, id, email } = await world.subscribe('provider_c');
    const { secretKey = '' } = world.secrets.provider_c;
    world.simulators.providers.c.controls(secretKey).setCards(email, 'decline');
    await world.advanceTo(periodEnd(await world.show(id)) + 60_000);
    expect((await world.show(id)).status).toBe('past_due');
    const page = await open(await linkFor(app, externalId));
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page
      .getByText(/^The payment provider does not try to collect it again before the next renewal, on /)
      .waitFor();
    expect(await page.getByText('tries to collect it again').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: /^Cancel on / }).click();
    await page.getByText(/^The payment provider does not try to collect it again\. Ask /).waitFor();
    await keepScreenshot(page, 'portal-past-due-at-c');
  });

  test('provider B: a customer whose payments were suspended in a paid period owes nothing yet', async () => {
    const { externalId, id } = await world.subscribe('provider_b');
    await world.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = current_period_end WHERE id = $1`,
      [id],
    );
    const page = await open(await linkFor(app, externalId));
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('Payments suspended').waitFor();
    await page
      .getByText(/^Payments are suspended at the payment provider\. You have access until /)
      .waitFor();
    await page
      .getByText(/Once they are resumed, the subscription can be changed\./)
      .first()
      .waitFor();
    expect(await page.getByText('The payment provider tries to collect it again').count()).toBe(0);
    expect(await page.getByText('overdue').count()).toBe(0);
    await keepScreenshot(page, 'portal-suspended');
  });

  test('an offer that was not paid in time has expired on that day, and not with the period that it never had', async () => {
    await app.send('PUT', '/v1/customers/unpaid-offer', { name: 'Jo Doe' });
    const offer = { externalId: 'unpaid-offer', planSlug: 'starter', provider: 'internal' };
    const made = await app.send('POST', '/v1/checkouts', offer, { 'Idempotency-Key': 'unpaid-offer' });
    const id = String(made.body['id']);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Europe/Berlin' });
    // Midnight may fall between the two.
    const days = [day.format(await world.now())];
    const ended = await world.operator.post(`/api/billing/checkouts/${id}/expire`, { body: {} });
    expect(ended.status).toBe(200);
    days.push(day.format(await world.now()));
    const page = await visit('unpaid-offer');
    await page.getByText(new RegExp(`^It expired on (${days.join('|')})\\.$`)).waitFor();
  });

  test('a past-due customer reads how long there is access, and later that it has ended', async () => {
    const id = await local('unpaid');
    const settings = { graceDays: 3, expireAfterDays: 30 };
    expect((await world.operator.patch('/api/billing/settings', { body: settings })).status).toBe(200);
    const since = async (days: number): Promise<unknown> =>
      world.service.database.query(
        `UPDATE tollgate.subscriptions SET status = 'past_due', past_due_since = $2 WHERE id = $1`,
        [id, new Date((await world.now()) - days * DAY_MS)],
      );
    await since(1);
    const page = await visit('unpaid');
    await page.getByText(/You have access until .*, and after that only if it is paid\./).waitFor();
    await page.getByText('of 100', { exact: false }).first().waitFor();
    // It renews before it expires.
    expect(
      (await world.operator.patch('/api/billing/settings', { body: { expireAfterDays: 60 } })).status,
    ).toBe(200);
    await page.reload();
    await page.getByText(/If it is not paid, your subscription expires on /).waitFor();
    await since(4);
    await page.reload();
    await page.getByText('You have no access until it is paid.').waitFor();
    await page.getByText('It is shown again once what is overdue is paid.').waitFor();
    expect(await page.getByText('0 of 0').count()).toBe(0);
  });

  test('actions that the operator does not offer are hidden and refused; name, colour and logo are applied', async () => {
    const id = await local('settings');
    const page = await visit('settings');
    const logo =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const body = { shows: ['payments', 'reactivate'], name: HOSTILE, colour: '#ffd400', logo };
    try {
      const saved = await world.operator.patch('/api/billing/portal', { body });
      expect(saved).toMatchObject({ status: 200, body });
      await page.getByText(HOSTILE).first().waitFor();
      await page.getByRole('button', { name: 'Cancel subscription' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('heading', { name: 'Usage' }).count()).toBe(0);
      const image = page.locator('header img');
      // A browser decodes an image some time after loading it.
      await image.evaluate((node) => (node as unknown as { decode: () => Promise<void> }).decode());
      await expect(
        image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth),
      ).resolves.toBe(1);
      expect(await findBarriers(page)).toEqual([]);
      // Axe does not see the filter of a button under the pointer.
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        const [accent = '', onAccent = '', filter = ''] = await page.evaluate<string[]>(
          `['--accent', '--on-accent', '--hover'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))`,
        );
        const factor = Number(/[\d.]+/.exec(filter)?.[0]);
        const brighter = (channel: string) =>
          Math.min(255, Math.round(Number.parseInt(channel, 16) * factor))
            .toString(16)
            .padStart(2, '0');
        const [under, text] = [accent, onAccent].map((colour) => colour.replaceAll(/[\da-f]{2}/g, brighter));
        expect(contrastBetween(under ?? '', text ?? '')).toBeGreaterThanOrEqual(4.5);
      }
      const refused = await page.evaluate(async (address) => {
        const answer = await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'behind-the-page' },
          body: '{}',
        });
        return (await answer.json()) as { code: string };
      }, `/portal/api/subscriptions/${id}/cancel`);
      expect(refused.code).toBe('portal_action_not_offered');
      expect(await world.show(id)).toMatchObject({ status: 'active' });
      browser.complaints.splice(0);
    } finally {
      // Restored, because the other tests' pages use the same settings.
      const all = [
        'usage',
        'transactions',
        'payments',
        'planChange',
        'seatChange',
        'cancel',
        'reactivate',
        'pay',
      ];
      await world.operator.patch('/api/billing/portal', {
        body: { shows: all, name: null, colour: '#1d5fd1', logo: null },
      });
    }
  });

  test('leaving stops the read in flight, which would otherwise be refused after it', async () => {
    await local('leaving');
    const page = await visit('leaving');
    const reads: Route[] = [];
    await page.route('**/portal/api/view?watching=true', (route) => void reads.push(route));
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('watching'));
    await until(() => reads.length > 0);
    await page.getByRole('button', { name: 'Leave this page' }).click();
    await page.getByRole('heading', { name: 'You have left the page' }).waitFor();
    await stopped;
  });

  test('a failed sign-out says so, and an unknown outcome is not reported as nothing done', async () => {
    const id = await local('broken');
    const page = await visit('broken');
    await page.route('**/portal/api/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Leave this page' }).click();
    await page.getByText('The page is still open').waitFor();
    expect(await page.getByRole('heading', { name: 'You have left the page' }).count()).toBe(0);
    const welcome = { status: 200, contentType: 'text/html', body: '<h1>Welcome to our network</h1>' };
    await page.route('**/portal/api/session', (route) => route.fulfill(welcome));
    const leaving = page.waitForResponse('**/portal/api/session');
    await page.getByRole('button', { name: 'Leave this page' }).click();
    await leaving;
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog');
    await page.route('**/cancel', (route) => route.fulfill(welcome));
    await dialog.getByRole('button', { name: 'Cancel now' }).click();
    await dialog.getByText('Something went wrong on our side.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    // A proxy has cut the answer off.
    const cutOff = { status: 200, contentType: 'application/json', body: '{"subscription' };
    await page.route('**/cancel', (route) => route.fulfill(cutOff));
    await dialog.getByRole('button', { name: 'Cancel now' }).click();
    await dialog.getByText('Something went wrong on our side.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    // The cancellation succeeds, but an intermediary answers in place of the service.
    await page.route('**/cancel', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' });
    });
    await dialog.getByRole('button', { name: 'Cancel now' }).click();
    await dialog.getByText('Something went wrong on our side.').waitFor();
    expect(await world.show(id)).toMatchObject({ status: 'cancelled' });
    browser.complaints.splice(0);
  });

  test('a dialog stays until its request is answered, and shows a refusal', async () => {
    await local('impatient');
    const page = await visit('impatient');
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog');
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/cancel', async (route) => {
      await held;
      const body = JSON.stringify({ code: 'service_busy' });
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body });
    });
    await dialog.getByRole('button', { name: 'Cancel now' }).click();
    await dialog.locator('button[aria-busy=true]').waitFor();
    await dialog.getByText('This is being sent…').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Keep it' }).click({ force: true });
    answer();
    await dialog.getByText('Your subscription is being updated at the moment.').waitFor();
    await dialog.getByText('This is being sent…').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    browser.complaints.splice(0);
  });

  test('a refused change leaves the focus in its dialog, on what it would do', async () => {
    await local('refused');
    const page = await visit('refused');
    await page.getByRole('button', { name: 'Change seats' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number of seats').fill('7');
    const button = dialog.getByRole('button', { name: /^Change now for / });
    await page.route('**/change', (route) => {
      const body = JSON.stringify({ code: 'service_busy' });
      return route.fulfill({ status: 503, contentType: 'application/problem+json', body });
    });
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Your subscription is being updated at the moment.').waitFor();
    await dialog.locator('.result:focus').waitFor();
    await button.waitFor();
    await page.keyboard.press('Tab');
    await dialog.locator('button.primary:focus').waitFor();
    browser.complaints.splice(0);
  });

  test('a request without an answer is reported as such, and a preview is requested again automatically', async () => {
    const id = await local('hanging');
    const page = await visit('hanging');
    await page.getByRole('button', { name: 'Change plan' }).click();
    const dialog = page.getByRole('dialog');
    await page.route('**/preview', (route) => route.abort());
    await dialog.getByRole('radio', { name: /pro/ }).check();
    await dialog.getByText('It is retried automatically.').waitFor();
    await page.unroute('**/preview');
    const button = dialog.getByRole('button', { name: /^Change now for / });
    await button.waitFor();
    await page.clock.install();
    let done: () => void = () => undefined;
    let resolveRequested: () => void = () => undefined;
    const isDone = new Promise<void>((resolve) => (done = resolve));
    const isRequested = new Promise<void>((resolve) => (resolveRequested = resolve));
    await page.route('**/change', async (route) => {
      await route.fetch();
      done();
    });
    await page.route('**/view?*', resolveRequested);
    await button.click();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await Promise.all([isDone, isRequested]);
    await page.clock.fastForward('10:00');
    await dialog.getByText('No response arrived.').waitFor();
    await page
      .getByText('This page cannot be brought up to date at the moment.')
      .waitFor({ state: 'attached' });
    // The change was made: no button remains that could send it twice.
    await dialog.getByText('That is what you already have.').waitFor();
    expect(await world.show(id)).toMatchObject({ plan: { slug: 'pro' } });
    browser.complaints.splice(0);
  });

  test('the focus is on the heading of a page that was opened, and on what is said where a button is gone', async () => {
    await local('focused');
    const page = await visit('focused');
    const at = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    expect(await at()).toBe('Your subscription');
    const button = page.getByRole('button', { name: 'Cancel subscription' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel now' }).press('Enter');
    await page.getByText(/^It ended on /).waitFor();
    await button.waitFor({ state: 'detached' });
    expect(await at()).toContain('Your subscription is cancelled.');
    await page.getByRole('button', { name: 'Close', exact: true }).press('Enter');
    await page.getByText('Your subscription is cancelled.').waitFor({ state: 'detached' });
    expect(await at()).toBe('Your subscription');
  });

  test('the focus comes with the heading, not some time after it', async () => {
    await local('drawn');
    const page = await open(await linkFor(app, 'drawn'));
    // Simulates a slow device: its timers, and so the work due after a frame, run a second late.
    await page.evaluate(`{
      const later = setTimeout;
      window.setTimeout = (run, ms = 0) => later(run, ms + 1_000);
    }`);
    const [first] = await Promise.all([
      page.evaluate<string>(`new Promise((done) => {
        new MutationObserver(() => {
          if (document.querySelector('.frame h1') !== null)
            queueMicrotask(() => done(document.activeElement?.textContent ?? ''));
        }).observe(document.body, { childList: true, subtree: true });
      })`),
      page.getByRole('button', { name: 'Open the page' }).click(),
    ]);
    expect(first).toBe('Your subscription');
  });

  test('by keyboard only: opened, a change previewed, left', async () => {
    await local('keyboard');
    const link = await linkFor(app, 'keyboard');
    const page = await open(link);
    await page.getByRole('button', { name: 'Open the page' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const change = page.getByRole('button', { name: 'Change plan' });
    await change.waitFor();
    await tabTo(page, 'Change plan');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'pro', true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Change plan');
    await tabTo(page, 'Leave this page');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have left the page' }).waitFor();
  });

  test('in both themes and from 320 pixels on, with hostile names, it is readable and stays within its width', async () => {
    const seed = new CatalogueSeeder(world.service.database, world.scope);
    await seed.plan(
      'hostile',
      [
        { feature: 'api_calls', quota: 1_000, resetInterval: 'day', enforcement: 'soft', creditCost: 2 },
        { feature: 'exports', quota: null },
      ],
      {
        name: `${HOSTILE}${'W'.repeat(150)}`,
        plan_group_id: world.plans.pro.planGroupId,
        price_amount: 123_456_789,
        pricing: 'per_seat',
      },
    );
    await local('looks', 'hostile', `${HOSTILE}${'W'.repeat(150)}`);
    await app.send(
      'POST',
      '/v1/customers/looks/credits',
      { amount: 123_456_789_012.5 },
      { 'Idempotency-Key': 'credits-looks' },
    );
    await app.track('looks', 'api_calls', 1_000);
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 320],
      ['light', 1280],
      ['dark', 1280],
    ] as const) {
      const page = await visit('looks', { colorScheme, width });
      await page.getByText('1,000 of 1,000').waitFor();
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(over).toBeLessThanOrEqual(0);
      const credits = '123,456,789,012.5';
      const lines = await page.evaluate<number>(`(() => {
        const texts = [...document.querySelectorAll('.row > strong')].map(({ firstChild }) => firstChild);
        const text = texts.find(({ data }) => data === '${credits} left');
        const number = document.createRange();
        number.setStart(text, 0);
        number.setEnd(text, ${credits.length});
        return number.getClientRects().length;
      })()`);
      expect(lines).toBe(1);
      await keepScreenshot(page, `portal-${colorScheme}-${width}`);
      // Colours and names are the same at every width.
      if (width === 320) expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Change plan' }).click();
      await page.getByRole('radio', { name: /pro/ }).check();
      await page.getByRole('heading', { name: 'What happens' }).waitFor();
      // The same number of units, but not the same terms.
      await page
        .getByText('1,000 a day, then for 2 credits each, then counted as overage → 1,000 a billing period')
        .waitFor();
      await keepScreenshot(page, `portal-change-${colorScheme}-${width}`);
      if (width === 320) expect(await findBarriers(page, 'dialog')).toEqual([]);
    }
  });

  test('an amount of many digits leaves room for the words beside it, or stands below them', async () => {
    const seed = new CatalogueSeeder(world.service.database, world.scope);
    const price = { price_amount: 1_500_000_000_000_00, price_currency: 'IDR' };
    await seed.plan('millions', [], { plan_group_id: world.plans.pro.planGroupId, ...price });
    await local('millions', 'millions');
    const page = await visit('millions', { width: 320 });
    await page.getByText(/First period/).waitFor();
    await keepScreenshot(page, 'portal-millions');
    const [over = 0, width = 0] = await page.evaluate<number[]>(`[
      document.documentElement.scrollWidth - innerWidth,
      document.querySelector('summary .row > :first-child').getBoundingClientRect().width,
    ]`);
    expect(over).toBeLessThanOrEqual(0);
    expect(width).toBeGreaterThan(100);
  });

  test('the first view is under 100 KB, and another site can neither frame it nor send for it', async () => {
    const id = await local('small');
    const link = await linkFor(app, 'small');
    const page = await open('/docs');
    browser.complaints.splice(0);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(link);
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your subscription' }).waitFor();
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(100_000);
    // The console's host is another origin of the same site; a provider's page is one that the customer visits.
    const foreign = await browser.another(page.context(), '/docs');
    await foreign.goto(`${world.simulators.urls.b}/`).catch(() => null);
    const outcome = await foreign.evaluate(async (address) => {
      try {
        const answer = await fetch(address, {
          method: 'POST',
          credentials: 'include',
          mode: 'no-cors',
          headers: { 'Content-Type': 'text/plain' },
          body: '{}',
        });
        return answer.type;
      } catch {
        return 'failed';
      }
    }, `${browser.url}/portal/api/subscriptions/${id}/cancel`);
    expect(['opaque', 'failed']).toContain(outcome);
    expect(await world.show(id)).toMatchObject({ status: 'active' });
    browser.complaints.splice(0);
  });
});

/** Returns the name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement?.closest('label, button, a, summary')?.textContent ?? ''");
}

/** Presses Tab until the named element has the focus; fails if the keyboard does not reach it. */
async function tabTo(page: Page, name: string, partly = false): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    const text = await focused(page);
    if (partly ? text.includes(name) : text === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}.`);
}
