import type { Locator } from 'playwright-core';
import { createCustomer } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { ConsoleBrowser, inBrowser } from './browser';
import { sellTwoPlans } from './seed';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;

inBrowser('input that is refused at its field (skipped without CHROMIUM_PATH)', () => {
  beforeAll(async () => {
    service = await startTestService({ commands: (direct) => direct });
    browser = await ConsoleBrowser.start(service.urls.console);
    operator = await logIn(service, { role: 'admin' });
    await sellTwoPlans(operator);
  });
  afterAll(async () => {
    await browser.stop();
    await service.stop();
  });

  /** Resolves once the field has this error and the focus. */
  const refused = async (field: Locator, error: string): Promise<void> => {
    const page = field.page();
    await page.getByText(error, { exact: true }).waitFor();
    const description = `[...document.querySelectorAll('[aria-invalid=true]:focus')].map((field) =>
      (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent).join(' '))`;
    expect(await page.evaluate<string[]>(description)).toEqual([expect.stringContaining(error)]);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  };

  test('an end that is typed but not a whole time of the calendar is not taken for no end', async () => {
    const { id } = await createCustomer(operator);
    const page = await browser.openAs(operator, `/customers/${id}`);
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog', { name: /^Grant credits to/ });
    const send = dialog.getByRole('button', { name: 'Grant credits' });
    const end = dialog.getByLabel('End');
    // February has no thirtieth, and the other has no time.
    for (const typed of ['02302099\t1000AM', '02272099']) {
      await dialog.getByRole('textbox', { name: 'Credits' }).fill('5');
      await end.fill('');
      await end.focus();
      await page.keyboard.type(typed);
      await send.click();
      await refused(end, 'Enter a whole day and time of the calendar.');
    }
    for (const year of ['0026', '12026']) {
      await end.fill(`${year}-02-27T10:00`);
      await send.click();
      await refused(end, 'Choose a year from 1970 to 9999.');
    }
    const granted = async () => (await operator.get(`/api/customers/${id}/credits`)).body['data'];
    expect(await granted()).toEqual([]);
    await end.fill('2099-02-27T10:00');
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await granted()).toMatchObject([{ amount: 5, expiresAt: '2099-02-27T09:00:00.000Z' }]);
  });

  test('a percentage is read as typed, or refused at its field', async () => {
    const page = await browser.openAs(operator, '/settings');
    const field = page.getByRole('combobox', { name: /^Alerts at/ });
    const save = page.getByRole('button', { name: 'Save settings' });
    for (const [typed, problem] of [
      ['1e1', 'Enter a whole number such as 1500, without separators.'],
      ['0x10', 'Enter a whole number such as 1500, without separators.'],
      ['１０', 'Enter a whole number such as 1500, without separators.'],
      ['12.5', 'Enter a whole number.'],
      ['0', 'No less than 1.'],
      ['1001', 'No more than 1000.'],
    ] as const) {
      await field.fill(typed);
      await field.press('Enter');
      await save.click();
      await refused(field, `${typed}: ${problem}`);
      await field.press('Backspace');
    }
    await field.fill('50');
    await field.press('Enter');
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await operator.get('/api/billing/settings');
    expect(body).toMatchObject({ usageAlertPercents: [80, 100, 50] });
  });
});
