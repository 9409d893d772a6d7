import { createCustomer, idOf } from '../catalog/offer';
import { Erasing } from '../erasure/erasing';
import type { OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser } from './browser';
import { sellTwoPlans } from './seed';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;
let erasing: Erasing;

inBrowser('the erasure of a customer (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({ commands: 'direct', role: 'admin' }, async (started) => {
    ({ service, browser, operator } = started);
    erasing = new Erasing(service);
    await sellTwoPlans(operator);
  });

  test('it is asked for by typing the external id, and is followed to its end', async () => {
    const { id, externalId } = await createCustomer(operator);
    const page = await browser.openAs(operator, `/customers/${id}`);
    // Waits for the usage first: once the external id is erased, it can no longer be found by that id.
    await page.getByText('Nothing was used in this time').waitFor();
    await page.getByText('Nothing is recorded yet').waitFor();
    await page.getByRole('button', { name: 'Erase the customer' }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(externalId) });
    const submit = dialog.getByRole('button', { name: 'Erase the customer' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type .* to confirm$/).fill(externalId);
    // A click outside does not discard what is typed.
    await page.mouse.click(5, 300);
    await submit.click();
    await page.getByRole('heading', { level: 1, name: `erased_${id}` }).waitFor();
    const panel = page.getByRole('region', { name: 'Erasure' });
    await panel.getByText('running').waitFor();
    const { body } = await operator.get(`/api/customers/${id}`);
    const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
    await erasing.finish(scope, String(body['erasureId']));
    await panel.getByText('complete', { exact: true }).waitFor();
  });

  test('a long external id can be read where it is to be typed', async () => {
    const externalId = `acct_${'x'.repeat(200)}`;
    const id = idOf(await operator.post('/api/customers', { body: { externalId } }));
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Erase the customer' }).click();
    const dialog = page.getByRole('dialog', { name: /^Erase/ });
    const [frame, label] = await Promise.all([
      dialog.boundingBox(),
      dialog.getByText(/^Type .* to confirm$/).boundingBox(),
    ]);
    expect((label?.x ?? 0) + (label?.width ?? 1_000)).toBeLessThan((frame?.x ?? 0) + (frame?.width ?? 0));
  });

  test('what must end first is named, and nothing is erased', async () => {
    const { id, externalId } = await createCustomer(operator);
    const subscription = await operator.post('/api/billing/subscriptions', {
      body: { externalId, planSlug: 'small' },
      headers: { 'Idempotency-Key': externalId },
    });
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Erase the customer' }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(externalId) });
    await dialog.getByLabel(/^Type .* to confirm$/).fill(externalId);
    provoke(409);
    await dialog.getByRole('button', { name: 'Erase the customer' }).click();
    await dialog.getByText('customer_has_open_affairs').waitFor();
    await dialog.getByRole('listitem').getByText(String(subscription.body['id'])).waitFor();
    expect((await operator.get(`/api/customers/${id}`)).body).toMatchObject({ externalId, erasureId: null });
  });
});
