import { AWAITED } from '../../src/domain/awaited';
import { MINUTE_MS } from '../../src/domain/instant';
import { PROVIDERS } from '../../src/domain/provider';
import { SUBSCRIPTION_STATUSES } from '../../src/domain/subscription-types';
import { createCustomer, idOf, subscribe, unique } from '../catalog/offer';
import { command } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';
import { answersTo, comeToRest } from './walk';

/** What an operator reads without a click, a scroll or a calculation. */
let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;
let customer: { id: string; externalId: string };
let subscription = '';
let plan = '';

inBrowser('at a glance (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct' }, async (started) => {
    ({ service, browser, operator } = started);
    await sellTwoPlans(operator);
    const key = unique('exports_of_everything_in_the_european_region');
    idOf(await operator.post('/api/features', { body: { key, name: 'Exports', kind: 'boolean' } }));
    const plans = (await operator.get('/api/plans')).body['data'] as { id: string; slug: string }[];
    plan = plans.find(({ slug }) => slug === 'large')?.id ?? '';
    idOf(await operator.post(`/api/plans/${plan}/entitlements`, { body: { featureKey: key } }));
    customer = await createCustomer(operator);
    subscription = idOf(await subscribe(operator, { externalId: customer.externalId, planSlug: 'large' }));
    await command(operator, subscription, 'change', { body: { planSlug: 'small' } });
  });
  afterEach(() => {
    service.clock.ahead = 0;
  });

  test('settlements of one day are told apart by their periods', async () => {
    const { externalId } = await createCustomer(operator);
    const subscriptionId = idOf(await subscribe(operator, { externalId, planSlug: 'small' }));
    const query = { subscriptionId };
    const { body } = await operator.get('/api/billing/transactions', { query });
    const [transaction] = body['data'] as { id: string; total: object }[];
    const paid = await operator.post('/api/billing/payments', {
      body: { transactionId: transaction?.id, amount: transaction?.total, reference: unique('transfer') },
      headers: { 'Idempotency-Key': unique('pay') },
    });
    idOf(paid);
    service.clock.ahead = 5 * MINUTE_MS;
    const settled = await operator.post('/api/billing/settlements', {
      body: {
        periodStart: '2026-01-01T05:00:00.000Z',
        periodEnd: new Date(Date.now() + MINUTE_MS).toISOString(),
      },
      headers: { 'Idempotency-Key': unique('settle') },
    });
    idOf(settled);
    const page = await browser.openAs(operator, '/payments?tab=settlements');
    const row = page.getByRole('table', { name: 'Settlements' }).getByRole('row').nth(1);
    await row.getByText(/^Jan 1, 2026, 6:00\sAM$/).waitFor();
    // With its zone in the hours that come twice.
    const times = row.getByText(/^\w+ \d+, \d{4}, \d+:\d\d(:\d\d)?\s[AP]M( GMT\S+)?$/);
    expect(await times.count()).toBe(2);
    await keepScreenshot(page, 'glance-settlements');
  });

  test('lists are not cut off at the side in a window of 1,280 pixels', async () => {
    const { externalId } = await createCustomer(operator);
    const checkout = await operator.post('/api/billing/checkouts', {
      body: { externalId, planSlug: 'small', provider: 'internal' },
      headers: { 'Idempotency-Key': unique('checkout') },
    });
    idOf(checkout);
    const page = await browser.openAs(operator, '');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const base = page.url().replace(/\/$/, '');
    const answered = answersTo(page);
    const cut: string[] = [];
    for (const path of [
      '/commands',
      `/catalogue/plans/${plan}`,
      `/customers/${customer.id}`,
      '/subscriptions',
      '/payments',
      '/payments?tab=transactions',
      '/payments?tab=settlements',
      '/payments?tab=checkouts',
    ]) {
      await page.goto(base + path);
      await comeToRest(page, answered);
      expect(await page.getByRole('table').count()).toBeGreaterThan(0);
      const tables = await page.evaluate<string[]>(`[...document.querySelectorAll('table')]
        .filter((table) => {
          const { clientWidth, scrollWidth } = table.closest('.mantine-ScrollArea-viewport') ?? table;
          return scrollWidth > clientWidth;
        })
        .map((table) => table.ariaLabel)`);
      cut.push(...tables.map((table) => `${path}: ${table}`));
      await keepScreenshot(page, `glance${path.replaceAll(/\W/g, '-')}`);
    }
    expect(cut).toEqual([]);
  });

  test('what a list of subscriptions is filtered by can be read in full', async () => {
    const page = await browser.openAs(operator, '/subscriptions');
    const list = page.url();
    const renews = ['day', 'week', 'month'];
    const cut: string[] = [];
    for (const [place, awaiting] of AWAITED.entries()) {
      const words = { awaiting, renews: renews[place % renews.length] ?? '' };
      const status = SUBSCRIPTION_STATUSES[place % SUBSCRIPTION_STATUSES.length] ?? '';
      const provider = PROVIDERS[place % PROVIDERS.length] ?? '';
      const others = { status, provider, preparation: 'failed', drift: 'found' };
      await page.goto(`${list}?${new URLSearchParams({ ...words, ...others }).toString()}`);
      await page.getByRole('combobox', { name: 'Awaits' }).waitFor();
      const texts = await page.evaluate<string[]>(`[...document.querySelectorAll('main input')]
        .filter((input) => input.scrollWidth > input.clientWidth)
        .map(({ value }) => value)`);
      cut.push(...texts);
    }
    expect(cut).toEqual([]);
  });

  test('a link in the row under the pointer is readable in both themes', async () => {
    const page = await browser.openAs(operator, '/customers');
    const row = page.getByRole('row', { name: customer.externalId });
    await row.waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await look(page, theme, 1280);
      await row.hover();
      await look(page, theme, 1280);
      expect(await findBarriers(page, 'tr:hover')).toEqual([]);
    }
  });

  test('a feature that is on or off is not said to be reset', async () => {
    const page = await browser.openAs(operator, `/customers/${customer.id}`);
    const table = page.getByRole('table', { name: 'Entitlements' });
    await table.getByRole('row', { name: 'AI tokens' }).getByText('resets').waitFor();
    const switched = table.getByRole('row').filter({ has: page.getByText('on', { exact: true }) });
    await switched.getByText('allowed').waitFor();
    expect(await switched.getByText('resets').count()).toBe(0);
  });

  test('a refused cancellation looks like the other refused actions', async () => {
    const viewer = await logIn(service, { role: 'viewer', workspaceId: operator.workspaceId });
    const page = await browser.openAs(viewer, `/subscriptions/${subscription}`);
    const colourOf = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).waitFor();
      return page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('button')]
        .find(({ textContent }) => textContent === '${name}')).color`);
    };
    expect(await colourOf('Cancel')).toBe(await colourOf('Change plan'));
  });

  test('a date of a right-to-left language keeps its order within a sentence', async () => {
    const page = await browser.openAs(operator, '/subscriptions');
    await page.addInitScript(`{
      const { DateTimeFormat } = Intl;
      Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
        construct: (target, [locale, options]) => new target(locale ?? 'he-IL', options),
      });
    }`);
    await page.reload();
    const row = page.getByRole('row', { name: customer.externalId });
    await row.locator('time').waitFor();
    await keepScreenshot(page, 'glance-hebrew');
    // The day, which is first in the text, is to the right of the year.
    const isInOrder = await page.evaluate<boolean>(`(() => {
      const text = document.querySelector('tbody time').firstChild;
      const leftOf = (place) => {
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(0) > leftOf(text.length - 1);
    })()`);
    expect(isInOrder).toBe(true);
  });

  test('a time in a refusal is in the operator’s time zone', async () => {
    const page = await browser.openAs(operator, `/subscriptions/${subscription}`);
    await page.route(/\/api\/sandbox\/clock/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'http://console.test/docs/errors#clock_backwards',
          title: 'The sandbox’s clock only moves forward.',
          status: 409,
          detail: 'The sandbox’s time is already 2026-07-01T22:30:00.000Z.',
          code: 'clock_backwards',
          fix: 'Send a later time.',
          requestId: 'req_1',
        }),
      });
    });
    provoke(409);
    await page.getByRole('button', { name: 'Advance the clock' }).click();
    await page.getByRole('menuitem', { name: 'By a day' }).click();
    const dialog = page.getByRole('dialog', { name: 'The clock was not moved' });
    await dialog.getByText(/^Jul 2, 2026, 12:30\sAM$/).waitFor();
  });
});
