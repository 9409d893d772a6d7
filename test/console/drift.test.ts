import { DriftingWorld, LARGE } from '../subscriptions/drifting';
import { logIn } from '../support/operator';
import { ProviderWorld, type WorldSubscription } from '../support/provider-world';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsoleOf } from './use-console';

let drifting: DriftingWorld;
let browser: ConsoleBrowser;

inBrowser('drift (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsoleOf(
    () => ProviderWorld.start(),
    (world, started) => {
      drifting = new DriftingWorld(world);
      browser = started;
    },
  );
  beforeEach(() => {
    drifting.dropWebhooks(false);
  });

  async function open(path: string, operator = drifting.world.operator) {
    const page = await browser.openAs(operator, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const subscribed = async (): Promise<WorldSubscription> => {
    const subscription = await drifting.world.subscribe('provider_a', { seats: 2 });
    await drifting.behindOurBack(subscription, LARGE.provider_a);
    return subscription;
  };

  test('is found for a whole connection, and repaired by the provider’s state on the subscription’s page', async () => {
    const { id } = await subscribed();
    const page = await open(`/connections/${drifting.world.connections.provider_a}`);
    const reads: string[] = [];
    page.on('request', (request) => {
      if (/\/drift\?/.test(request.url())) reads.push(request.url());
    });
    await page.getByRole('button', { name: 'Compare now' }).dblclick();
    const row = page.getByRole('table', { name: 'Comparisons' }).getByRole('row', { name: new RegExp(id) });
    await row.getByText('✗ 2 differences').waitFor();
    // A comparison reads each subscription at the provider.
    expect(reads).toHaveLength(1);
    await row.getByText('Plan: pro here, large there').waitFor();
    await row.getByText('Seats: 2 here, 3 there').waitFor();
    await keepScreenshot(page, 'connection-drift');
    expect(await findBarriers(page)).toEqual([]);
    await row.getByRole('link', { name: id }).click();

    // The previous page also has a button with that name.
    const comparison = page.getByRole('region', { name: 'Compare with the provider' });
    await comparison.getByRole('button', { name: 'Compare now' }).click();
    const differs = page.getByRole('table', { name: 'What differs' });
    await differs.getByRole('row', { name: /Plan.*pro.*large/ }).waitFor();
    await keepScreenshot(page, 'subscription-drift');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take the provider’s state' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take the provider’s state' });
    await dialog.getByText('Plan: pro here, large at the provider').waitFor();
    await dialog.getByRole('button', { name: 'Copy the provider’s state here' }).click();
    await page.getByText('✓ In sync').waitFor();
    expect(await drifting.world.show(id)).toMatchObject({ plan: { slug: 'large' }, seats: 3 });
    expect(await drifting.auditOf(id)).toHaveLength(1);
  });

  test('is repaired by our state at the provider', async () => {
    const subscription = await subscribed();
    const page = await open(`/subscriptions/${subscription.id}`);
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByRole('button', { name: 'Write ours to the provider' }).click();
    await page.getByRole('button', { name: 'Write our state to the provider' }).click();
    await page.getByText('✓ In sync').waitFor();
    expect(await drifting.world.atProvider(subscription)).toMatchObject({
      planReference: 'price_pro',
      quantity: 2,
    });
  });

  test('a repair that the provider does not support is refused with the reason, and a viewer sees only the difference', async () => {
    const subscription = await drifting.world.subscribe('provider_b');
    await drifting.behindOurBack(subscription, LARGE.provider_b);
    provoke(422);
    const page = await open(`/subscriptions/${subscription.id}`);
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByRole('button', { name: 'Write ours to the provider' }).click();
    await page.getByRole('button', { name: 'Write our state to the provider' }).click();
    await page.getByRole('dialog').getByText('capability_unsupported').waitFor();

    const { workspaceId } = drifting.world.operator;
    const viewer = await logIn(drifting.world.service, { role: 'viewer', workspaceId });
    const viewers = await open(`/subscriptions/${subscription.id}`, viewer);
    await viewers.getByRole('button', { name: 'Compare now' }).click();
    await viewers.getByRole('table', { name: 'What differs' }).waitFor();
    const repair = viewers.getByRole('button', { name: 'Take the provider’s state' });
    expect(await repair.getAttribute('aria-disabled')).toBe('true');
  });
});
