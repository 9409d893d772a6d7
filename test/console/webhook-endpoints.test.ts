import { logIn } from '../support/operator';
import type { TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { Receiver } from '../webhook-deliveries/receiver';
import { announce, startDeliverer, type RunningDeliverer } from '../webhook-deliveries/rig';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let receiver: Receiver;
let deliverer: RunningDeliverer;

inBrowser('webhook endpoints (skipped without CHROMIUM_PATH, which npm test sets)', () => {
  afterAll(async () => {
    await deliverer.stop();
    await receiver.stop();
  });
  const provoke = useConsole({ webhookRules: { allowsLoopback: true } }, async (started) => {
    ({ service, browser } = started);
    receiver = await Receiver.start();
    deliverer = startDeliverer(service.database);
  });

  test('are made, tested, changed, rolled, disabled and deleted; what they answered is shown', async () => {
    const operator = await logIn(service, { role: 'developer' });
    const page = await browser.openAs(operator, '/developer/webhooks');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    const stored = async (): Promise<string> => {
      const secret = (await page.locator('[data-secret]').textContent()) ?? '';
      await page.getByLabel('I have stored the secret').check();
      await button('Close').click();
      return secret;
    };

    await button('New endpoint').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook');
    await button('Create endpoint').click();
    await page.getByText('is not a public address').first().waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url());
    await page.getByLabel('Description').fill('Shop');
    await page.getByRole('radio', { name: 'Chosen types' }).check();
    await button('Create endpoint').click();
    await page.getByText('Choose what is sent here.').waitFor();
    await page.getByRole('checkbox', { name: 'subscription.changed' }).check();
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'webhook-endpoint-form');
    await button('Create endpoint').click();
    const secret = await stored();
    expect(secret).toMatch(/^whsec_/);
    await page.reload();
    await page.getByRole('link', { name: receiver.url() }).click();
    await page.getByText(`whsec_…${secret.slice(-4)}`).waitFor();
    expect((await page.content()).includes(secret)).toBe(false);

    // A response with markup is shown verbatim.
    receiver.answer = (response) => response.writeHead(503).end('<b>down</b> for an hour');
    await button('Send a test').click();
    await drawer.getByText('HTTP 503').first().waitFor();
    await drawer.getByText('<b>down</b> for an hour').first().waitFor();
    await drawer.getByText('webhook_endpoint.test').first().waitFor();
    const payload = drawer.getByLabel('The payload', { exact: true });
    await payload.waitFor();
    expect(JSON.parse((await payload.textContent()) ?? '')).toEqual(
      JSON.parse(receiver.received[0]?.body ?? ''),
    );
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'webhook-delivery');
    receiver.answer = (response) => response.end('taken');
    await drawer.getByRole('button', { name: 'Send again' }).click();
    // The retry schedule may have sent an attempt in the meantime, too.
    await drawer.getByText('HTTP 200').first().waitFor();
    await drawer.getByText('taken').first().waitFor();
    expect(new Set(receiver.ids()).size).toBe(1);
    await page.keyboard.press('Escape');
    const log = page.getByRole('table', { name: 'Deliveries' });
    await log.getByRole('cell', { name: 'delivered' }).waitFor();

    await button('Roll the secret').click();
    await page.getByLabel('Hours the old secret keeps signing').fill('2');
    await button('Make the new secret').click();
    const rolled = await stored();
    await page.getByText(`whsec_…${rolled.slice(-4)}`).waitFor();
    await page.getByText('sign too until').waitFor();
    await button('Send a test').click();
    await drawer.getByText('HTTP 200').waitFor();
    await page.keyboard.press('Escape');
    const signatures = receiver.received.map(
      ({ headers }) => headers['webhook-signature']?.split(' ').length,
    );
    expect(new Set(signatures.slice(0, -1))).toEqual(new Set([1]));
    expect(signatures.at(-1)).toBe(2);

    await button('Disable').click();
    await button('Disable it').click();
    await page.getByText('by an operator or a key').waitFor();
    await page.getByText('Nothing is sent to a disabled endpoint').first().waitFor();
    const missed = await announce(service.database, {
      workspaceId: operator.workspaceId,
      environment: 'sandbox',
    });
    await button('Enable').click();
    await button('Enable it').click();
    await button('Send again since a time').click();
    await page.getByLabel(/^Since/).fill('2026-01-01T00:00');
    await button('Send again').click();
    await page.getByText('Queued: 1 message').waitFor();
    await log.getByRole('button', { name: `Attempts of ${missed}` }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'failed' }).click();
    await page.getByText('None is failed').waitFor();
    await page.reload();
    await page.getByText('Queued: 1 message').waitFor();
    await page.getByText('None is failed').waitFor();

    await button('Change').click();
    await page.getByRole('radio', { name: 'All types' }).check();
    await page.getByLabel('Description').fill('Everything');
    await button('Save').click();
    await page.getByText('Everything').waitFor();

    await button('Delete the endpoint').click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete the endpoint' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill(`127.0.0.1:${receiver.port}`);
    await confirm.click();
    await page.getByText('There is no endpoint yet').waitFor();
    // The browser reports the refused address.
    provoke(422);
  });

  test('one that accepts nothing is on Home, with a link to it', async () => {
    const operator = await logIn(service, { role: 'developer' });
    receiver.answer = (response) => response.writeHead(503).end();
    const made = await operator.post('/api/webhook-endpoints', { body: { url: receiver.url() } });
    const id = String(made.body['id']);
    const test = { headers: { 'Idempotency-Key': id } };
    expect((await operator.post(`/api/webhook-endpoints/${id}/test`, test)).status).toBe(201);
    const page = await browser.openAs(operator, `/developer/webhooks/${id}`);
    await page.getByText('no attempt has succeeded since').waitFor();
    await page.goto(page.url().replace(/\/developer.*/, ''));
    await page.getByRole('link', { name: '1 webhook endpoint is failing, or was disabled for it' }).click();
    await page.getByText('no attempt has succeeded since').waitFor();
    expect(new URL(page.url()).pathname.endsWith(`/developer/webhooks/${id}`)).toBe(true);
    // A test that is answered late opens nothing on another page.
    let answer = (): void => undefined;
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/test?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    await page.evaluate("history.replaceState({}, '', '?status=active')");
    const answered = page.waitForResponse('**/test?*');
    answer();
    await answered;
    await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect(new URL(page.url()).search).toBe('?status=active');
  });

  test('a viewer sees the same, and why nothing can be pressed', async () => {
    const { workspaceId } = await createWorkspace(service.database);
    const developer = await logIn(service, { role: 'developer', workspaceId });
    const made = await developer.post('/api/webhook-endpoints', { body: { url: receiver.url() } });
    const viewer = await logIn(service, { role: 'viewer', workspaceId });
    const page = await browser.openAs(viewer, `/developer/webhooks/${String(made.body['id'])}`);
    await page.getByText('This needs the role developer, and you are viewer.').first().waitFor();
    for (const name of ['Change', 'Disable', 'Send a test', 'Roll the secret', 'Delete the endpoint']) {
      const button = page.getByRole('button', { name, exact: true });
      expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']);
    }
    await keepScreenshot(page, 'webhook-endpoint-viewer');
  });
});
