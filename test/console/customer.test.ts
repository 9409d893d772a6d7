import { createCustomer, createFeature } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser, keepScreenshot, look } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let owner: OperatorClient;

inBrowser('a customer (skipped without CHROMIUM_PATH)', () => {
  useConsole({}, (started) => {
    ({ service, browser, operator: owner } = started);
  });

  test('the name and the address are edited, and what another operator has changed meanwhile stays', async () => {
    const { id } = await createCustomer(owner);
    const read = async () => (await owner.get(`/api/customers/${id}`)).body;
    const page = await browser.openAs(owner, `/customers/${id}`);
    const facts = page.getByRole('region', { name: 'Customer', exact: true });
    await facts.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit the customer/ });
    await dialog.getByLabel('Email').fill('nobody');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.getByText('Enter an address such as jo@example.com.').waitFor();
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'customer-edit');
    await dialog.getByLabel('Email').fill(' jo@example.test ');
    await owner.patch(`/api/customers/${id}`, { body: { name: 'Meanwhile', metadata: { country: 'DE' } } });
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await facts.getByText('jo@example.test').waitFor();
    await facts.getByText('Meanwhile').waitFor();
    expect(await read()).toMatchObject({
      name: 'Meanwhile',
      email: 'jo@example.test',
      metadata: { country: 'DE' },
    });
    await facts.getByRole('button', { name: 'Edit customer' }).click();
    await dialog.getByLabel('Email').fill('');
    await dialog.getByRole('button', { name: 'Save customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ name: 'Meanwhile', email: null });
  });

  test('the country is chosen for tax, and other labels stay', async () => {
    const page = await browser.openAs(owner, '/customers');
    const form = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New customer' }).click();
    await form.getByLabel('External id').fill('of-germany');
    await form.getByLabel('Country').fill('Germany');
    await form.getByRole('button', { name: 'Create customer' }).click();
    await form.getByText('Enter the two letters of ISO 3166-1, such as DE.').waitFor();
    await form.getByLabel('Country').fill('de');
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'customer-country');
    await form.getByRole('button', { name: 'Create customer' }).click();
    const facts = page.getByRole('region', { name: 'Customer', exact: true });
    await facts.getByText('DE', { exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').pop() ?? '';
    const read = async () => (await owner.get(`/api/customers/${id}`)).body['metadata'];
    expect(await read()).toEqual({ country: 'DE' });

    await facts.getByRole('button', { name: 'Edit customer' }).click();
    // Labels that an integrator has stored meanwhile stay.
    await owner.patch(`/api/customers/${id}`, { body: { metadata: { country: 'DE', tier: 2 } } });
    await form.getByLabel('Country').fill(' fr ');
    await look(page, 'light', 320);
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await keepScreenshot(page, 'customer-country-320');
    await form.getByRole('button', { name: 'Save customer' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await read()).toEqual({ country: 'FR', tier: 2 });
    await facts.getByRole('button', { name: 'Edit customer' }).click();
    await form.getByLabel('Country').fill('');
    await form.getByRole('button', { name: 'Save customer' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await read()).toEqual({ tier: 2 });
  });

  test('it is not edited by a viewer, nor after its erasure, and both are told why', async () => {
    const { id } = await createCustomer(owner);
    const viewer = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
    const facts = (await browser.openAs(viewer, `/customers/${id}`)).getByRole('region', {
      name: 'Customer',
      exact: true,
    });
    await facts.getByText('This needs the role developer, and you are viewer.').waitFor();
    const edit = facts.getByRole('button', { name: 'Edit customer' });
    expect(await edit.getAttribute('aria-disabled')).toBe('true');
    // What that page still asks for would not be found after the erasure.
    await facts.page().close();
    await owner.delete(`/api/customers/${id}`);
    const page = await browser.openAs(owner, `/customers/${id}`);
    await page.getByRole('button', { name: 'Edit customer' }).waitFor();
    expect(await page.getByText('The customer was erased.').count()).toBe(2);
  });

  test('where nothing was used, only a longer time is suggested: the customer cannot be cleared there', async () => {
    const { id } = await createCustomer(owner);
    const page = await browser.openAs(owner, `/customers/${id}`);
    await page.getByText(/^Choose a longer time\. What your application tracks/).waitFor();
    expect(await page.getByText(/clear the feature or the customer/).count()).toBe(0);
  });

  test('the answer to a check is not shown for another question', async () => {
    await createFeature(owner);
    const { id } = await createCustomer(owner);
    const page = await browser.openAs(owner, `/customers/${id}`);
    const answer = page.getByRole('link', { name: 'The decision' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await answer.waitFor();
    await page.getByLabel('Quantity').fill('2');
    await answer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await answer.waitFor();
  });
});
