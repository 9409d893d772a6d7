import type { Page } from 'playwright-core';
import { MINUTE_MS } from '../../src/domain/instant';
import { logIn } from '../support/operator';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';
import { type ConsoleBrowser, findBarriers, inBrowser, look } from './browser';
import { useConsoleOf } from './use-console';

let world: ProviderWorld;
let row: ProviderARow;
let browser: ConsoleBrowser;

inBrowser('subscriptions at payment providers (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsoleOf(
    () => ProviderWorld.start(),
    (...started) => {
      [world, browser] = started;
      row = new ProviderARow(world);
    },
  );
  afterEach(() => row.rest());

  async function open({ id, externalId }: WorldSubscription): Promise<Page> {
    const page = await browser.openAs(world.operator, `/subscriptions/${id}`);
    await page.getByRole('heading', { level: 1, name: new RegExp(externalId) }).waitFor();
    return page;
  }

  async function choose(page: Page, plan: RegExp): Promise<void> {
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: plan }).click();
  }

  test('provider B: a change is asked for, approved on its page, and comes with the renewal', async () => {
    const subscription = await world.subscribe('provider_b');
    const page = await open(subscription);
    await choose(page, /\$90\.00\/month/);
    await page.getByRole('button', { name: 'Upgrade: ask the customer for approval' }).click();
    await page.getByText('Waits for the customer’s approval').waitFor();
    const link = await page.getByRole('link', { name: 'Open the approval page' }).getAttribute('href');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await look(page, 'dark', 1280);
    expect(await findBarriers(page)).toEqual([]);
    // Opened in the customer's own browser.
    const customer = await browser.elsewhere(link ?? '');
    const answered = customer.waitForResponse((response) => response.request().method() === 'POST');
    await customer.getByRole('button', { name: 'Agree and subscribe' }).click();
    await answered;
    await world.settle();
    await page.reload();
    await page.getByText('Changes at the renewal').waitFor();
    expect((await world.show(subscription.id)).plan.slug).toBe('pro');
    await world.advanceTo(periodEnd(await world.show(subscription.id)) + MINUTE_MS);
    await page.reload();
    await page.getByText('Changes at the renewal').waitFor({ state: 'detached' });
    expect(await world.show(subscription.id)).toMatchObject({
      plan: { slug: 'large' },
      pendingApproval: null,
    });
  });

  test('a webhook is replayed by an admin, who sees first what would change; others read why they may not', async () => {
    await world.subscribe('provider_a');
    await world.settle();
    const page = await browser.openAs(world.operator, '/webhooks');
    await page.getByRole('button', { name: 'Replay' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^Replay / });
    await dialog.getByText('It would change nothing.').waitFor();
    await dialog.getByRole('button', { name: 'Replay it' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Opened again, it shows nothing before it has asked again.
    await page.route('**/replay?*', () => undefined);
    await page.getByRole('button', { name: 'Replay' }).first().click();
    await dialog.waitFor();
    expect(await dialog.getByRole('button', { name: 'Replay it' }).isEnabled()).toBe(false);
    const developer = await logIn(world.service, {
      workspaceId: world.operator.workspaceId,
      role: 'developer',
    });
    const [webhook] = (await developer.get('/api/webhooks')).body['data'] as { id: string }[];
    expect((await developer.post(`/api/webhooks/${webhook?.id}/replay`)).status).toBe(403);
    const theirs = await browser.openAs(developer, '/webhooks');
    const replay = theirs.getByRole('button', { name: 'Replay' }).first();
    await replay.waitFor();
    expect(await replay.getAttribute('aria-disabled')).toBe('true');
    await theirs.getByText('This needs the role admin, and you are developer.').waitFor();
  });

  test('provider A: an upgrade that the bank wants approved fails with the reason, and changes nothing', async () => {
    const subscription = await row.subscribe();
    await row.setCard(subscription, 'requires_authentication');
    const page = await open(subscription);
    await choose(page, /\$90\.00\/month/);
    provoke(402);
    await page.getByRole('button', { name: /^Upgrade now, charge/ }).click();
    await page
      .getByRole('dialog')
      .getByText('The bank asks the customer to approve this payment, so nothing was changed.')
      .waitFor();
    await page.getByText(/^req_/).first().waitFor();
    expect((await world.show(subscription.id)).plan.slug).toBe('pro');
    await page.getByRole('button', { name: 'Leave it as it is' }).click();
    await page.getByText(/was refused: The bank asks/).waitFor();
  });

  test('a refund that the provider refuses is not reported as made, and another one can be tried', async () => {
    const { externalId } = await world.subscribe('provider_a');
    const account = world.simulators.providers.a.account({
      secretKey: world.secrets.provider_a['secretKey'] ?? '',
    });
    const dispute = account.dispute(account.books().payments.at(-1)?.disputable ?? '');
    await world.settle();
    const page = await browser.openAs(world.operator, '/payments?tab=payments');
    await page
      .getByRole('row', { name: new RegExp(externalId) })
      .getByRole('button', { name: /^Refund of/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Refund $30.00' }).click();
    await dialog.getByText('The refund has failed').waitFor();
    await dialog.getByText(/^This payment is disputed at the bank/).waitFor();
    account.closeDispute(dispute, 'won');
    await world.settle();
    await dialog.getByRole('button', { name: 'Refund $30.00' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Refunds' }).click();
    const refunds = page.getByRole('row', { name: new RegExp(externalId) });
    await refunds.filter({ hasText: 'succeeded' }).waitFor();
    await refunds.filter({ hasText: 'failed' }).waitFor();
  });

  test('provider C: a cancellation ends with the period, and a plan change says why there is none', async () => {
    const subscription = await world.subscribe('provider_c');
    const page = await open(subscription);
    const change = page.getByRole('button', { name: 'Change plan' });
    expect(await change.getAttribute('aria-disabled')).toBe('true');
    const { capabilities } = await world.show(subscription.id);
    const reason = (capabilities as Record<string, { reason: string | null }>)['planChange']?.reason;
    await page
      .getByText(reason ?? 'no reason')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel on / })
      .click();
    await page.getByText('Ends and does not renew', { exact: true }).waitFor();
    const shown = await world.show(subscription.id);
    expect(shown).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Ends and does not renew', { exact: true }).waitFor({ state: 'detached' });
    expect(await world.show(subscription.id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  test('provider C: what is past due is not collected again before the renewal, which its page says', async () => {
    const subscription = await world.subscribe('provider_c');
    const { secretKey = '' } = world.secrets.provider_c;
    world.simulators.providers.c.controls(secretKey).setCards(subscription.email, 'decline');
    await world.advanceTo(periodEnd(await world.show(subscription.id)) + MINUTE_MS);
    const page = await open(subscription);
    await page
      .getByText(/The payment provider does not try to collect it again before the next renewal\.$/)
      .waitFor();
  });

  test('a cancellation without an outcome is retried by a click', async () => {
    const subscription = await row.subscribe();
    row.break('provider_a', '/v1/subscriptions', 'answer_500');
    await world.command(subscription.id, 'cancel');
    // The first retry has no outcome either, and the next one is minutes away.
    await world.advanceBy(MINUTE_MS + 1);
    row.hearAgain();
    const page = await open(subscription);
    await page.getByText(/has not confirmed a request/).waitFor();
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText(/A request to the payment provider is about to be retried/).waitFor();
    await world.catchUp(subscription.id);
    await page.reload();
    await page.getByText('Ends and does not renew', { exact: true }).waitFor();
    expect(await world.show(subscription.id)).toMatchObject({ cancelAtPeriodEnd: true });
  });
});
