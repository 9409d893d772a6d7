import type { Page } from 'playwright-core';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { until } from '../support/until';
import { createKey } from '../support/workspace';
import { Receiver } from '../webhook-deliveries/receiver';
import { startDeliverer } from '../webhook-deliveries/rig';
import { type ConsoleBrowser, EVERY_LOOK, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';
import { alternately, answersTo, comeToRest, sectionOf, walkTo, type Address } from './walk';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;
/** Paths below the workspace's own path, by name. */
const pages: Record<string, string> = {
  home: '',
  events: '/events',
  usage: '/usage?group=customer',
  customers: '/customers',
  subscriptions: '/subscriptions',
  catalogue: '/catalogue',
  'entitlement-grid': '/catalogue/grid',
  'api-keys': '/developer/api-keys',
  decisions: '/decisions',
  commands: '/commands',
  payments: '/payments',
  transactions: '/payments?tab=transactions',
  refunds: '/payments?tab=refunds',
  settlements: '/payments?tab=settlements',
  checkouts: '/payments?tab=checkouts',
  webhooks: '/webhooks',
  'webhook-failures': '/webhooks?tab=failures',
  'webhook-endpoints': '/developer/webhooks',
  connections: '/connections',
  members: '/members',
  settings: '/settings',
};

/** Markup, a right-to-left override and emoji; and the longest name allowed. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202E{{7*7}} 👩‍🚀&amp;';
const LONGEST = `${HOSTILE}${'W'.repeat(200 - HOSTILE.length)}`;

/** EVERY_LOOK=1 adds the other combinations, for human review. */
const LOOKS: [colorScheme: 'light' | 'dark', width: number][] = [
  ['light', 1280],
  ['light', 768],
  ['dark', 390],
  ...(EVERY_LOOK
    ? ([
        ['dark', 768],
        ['dark', 1280],
        ['light', 390],
      ] satisfies typeof LOOKS)
    : []),
];

inBrowser('every page, with hostile names (skipped without CHROMIUM_PATH)', () => {
  useConsole({ commands: 'direct', webhookRules: { allowsLoopback: true } }, async (started) => {
    ({ service, browser } = started);
    operator = await logIn(service, { role: 'owner', platformAdministrator: true });
    await sellTwoPlans(operator, LONGEST);
    const externalId = `<b>${'x'.repeat(60)}`;
    const customer = await operator.post('/api/customers', { body: { externalId, name: LONGEST } });
    const subscription = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': 'one' },
    });
    await operator.post('/api/customers', { body: { externalId: 'waiting' } });
    const waiting = await operator.post('/api/billing/subscriptions', {
      body: { externalId: 'waiting', planSlug: 'large' },
      headers: { 'Idempotency-Key': 'two' },
    });
    await operator.post(`/api/billing/subscriptions/${String(waiting.body['id'])}/change`, {
      body: { planSlug: 'small' },
      headers: { 'Idempotency-Key': 'three' },
    });
    await useTokens(operator.workspaceId, [externalId, 'waiting']);
    for (const letter of ['w', 'm'])
      await operator.post(`/api/organizations/${operator.workspaceId}/members`, {
        env: null,
        body: { email: `${letter.repeat(60)}@${'example.'.repeat(10)}test`, role: 'developer' },
      });
    for (const name of ['server', 'worker'])
      await operator.post('/api/api-keys', { body: { name, scopes: ['usage'] } });
    const connection = await operator.post('/api/provider-connections', {
      body: {
        provider: 'provider_b',
        displayName: LONGEST,
        settings: { merchantId: HOSTILE, planReferences: { small: 'P-SMALL' } },
      },
    });
    const plans = (await operator.get('/api/plans')).body['data'] as { id: string }[];
    Object.assign(pages, {
      customer: `/customers/${String(customer.body['id'])}`,
      subscription: `/subscriptions/${String(subscription.body['id'])}`,
      waiting: `/subscriptions/${String(waiting.body['id'])}`,
      connection: `/connections/${String(connection.body['id'])}`,
      plan: `/catalogue/plans/${plans[0]?.id ?? ''}`,
      ...(await webhookPages()),
    });
  });

  test('has no barrier, hides nothing to the side and is without error, in both themes and at three widths', async () => {
    const signIn = await browser.open('/');
    const found = await examine(signIn, 'sign-in', answersTo(signIn));
    const page = await browser.signIn(operator.email);
    // The test browsers prefer reduced motion.
    await page.locator('html[data-respect-reduced-motion=true]').waitFor();
    const answered = answersTo(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const base = new URL(page.url()).pathname.replace(/\/$/, '');
    const all = Object.entries(pages).map(([name, path]): Address => [name, base + path]);
    for (const path of ['/account', '/platform/credentials', '/platform/audit'])
      all.push([path.slice(1).replace('/', '-'), path]);
    let section = sectionOf(base, base);
    for (const [name, address] of alternately(all, base)) {
      const next = sectionOf(address, base);
      if (next === section) await page.goto(browser.url + address);
      else await walkTo(page, address);
      section = next;
      expect(new URL(page.url()).pathname).toBe(address.split('?')[0]);
      found.push(...(await examine(page, name, answered)));
    }
    const { customer = '' } = pages;
    await page.goto(browser.url + base + customer);
    await page.getByRole('button', { name: 'Grant credits' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    if (
      await page.evaluate(
        "{ const [dialog] = document.querySelectorAll('[role=dialog]'); dialog.scrollWidth > dialog.clientWidth }",
      )
    )
      found.push('a part of the dialog is hidden to the side');
    found.push(...browser.complaints.splice(0));
    expect(found).toEqual([]);
  });
});

/** Records uses with a hostile source and property, one denied use, and one that is only reserved. */
async function useTokens(workspaceId: string, customers: string[]): Promise<void> {
  const scope = { workspaceId, environment: 'sandbox' as const };
  const api = new Integrator(service.urls.sandbox, await createKey(service.database, scope, ['usage']));
  const feature = 'ai_tokens';
  for (const externalId of customers) {
    const more = { source: HOSTILE, properties: { model: LONGEST } };
    const used = await api.track(externalId, feature, 123.456, undefined, more);
    if (used.status !== 200) throw new Error(used.text);
    await api.track(externalId, feature, 1_000_000);
    const reserve = { expiresInSeconds: 3_600 };
    await api.send('POST', '/v1/usage/check', { externalId, feature, quantity: 50, reserve });
  }
}

/**
 * Creates endpoints with hostile addresses: one failing with markup in its response, and one disabled.
 *
 * @returns their pages, and one with an attempt open
 */
async function webhookPages(): Promise<Record<string, string>> {
  const api = '/api/webhook-endpoints';
  const make = async (url: string, more: object): Promise<string> => {
    const made = await operator.post(api, { body: { url, description: LONGEST, ...more } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return String(made.body['id']);
  };
  const receiver = await Receiver.start();
  receiver.answer = (response) => response.writeHead(500).end(LONGEST);
  const deliverer = startDeliverer(service.database);
  const failing = await make(receiver.url(`/${HOSTILE}?${'W'.repeat(1_500)}`), {});
  const sent = await operator.post(`${api}/${failing}/test`, { headers: { 'Idempotency-Key': 'test' } });
  const message = String(sent.body['messageId']);
  await until(async () => {
    const { body } = await operator.get(`${api}/${failing}/deliveries/${message}`);
    return (body['attempts'] as object[]).length > 0;
  });
  await deliverer.stop();
  await receiver.stop();
  const types = ['subscription.created', 'payment.succeeded', 'refund.failed', 'credits.low'];
  const off = await make('https://bücher.example/x', { types });
  await operator.patch(`${api}/${off}`, { body: { enabled: false } });
  return {
    'webhook-endpoint': `/developer/webhooks/${failing}`,
    'webhook-delivery': `/developer/webhooks/${failing}?delivery=${message}`,
    'webhook-endpoint-off': `/developer/webhooks/${off}`,
  };
}

/** Waits until a page is idle, then for each theme and width takes a screenshot and collects accessibility barriers. */
async function examine(page: Page, name: string, answered: () => boolean): Promise<string[]> {
  await comeToRest(page, answered);
  const found = await findNamesakes(page, name);
  for (const [colorScheme, width] of LOOKS) {
    await look(page, colorScheme, width);
    const seen = `${colorScheme}-${width}-${name}`;
    await keepScreenshot(page, seen);
    const [wide = 0, shown = 0] = await page.evaluate<number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    const hidden = wide > shown ? [`${wide - shown} pixels are hidden to the side`] : [];
    found.push(...[...(await findBarriers(page)), ...hidden].map((finding) => `${seen}: ${finding}`));
  }
  return found;
}

/** Finds buttons in rows whose name does not say which row they belong to, because another row's has it too. */
async function findNamesakes(page: Page, on: string): Promise<string[]> {
  const names = await page.evaluate<string[]>(
    "[...document.querySelectorAll('tbody button')].map((button) => button.ariaLabel ?? button.textContent)",
  );
  return (
    names
      // What copies an id does the same in every row.
      .filter((name, place) => names.indexOf(name) !== place && !name.startsWith('Copy '))
      .map((name) => `${on}: another button is also named ${name}`)
  );
}
