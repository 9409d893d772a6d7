import { logIn, testPassword, type OperatorClient } from '../support/operator';
import { enrol } from '../support/second-factor';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, inBrowser, keepScreenshot } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let operator: OperatorClient;
let home: string;

inBrowser('signing in (skipped without CHROMIUM_PATH)', () => {
  useConsole({ provoked: [401] }, async (started) => {
    ({ service, browser, operator } = started);
    const [organization] = (await operator.get('/api/organizations', { env: null })).body['data'] as {
      slug: string;
    }[];
    home = `/o/${organization?.slug}/sandbox`;
  });

  test('is not a page that Back leads to', async () => {
    const page = await browser.open('/docs');
    await page.goto(`${service.urls.console}${home}/customers`);
    await page.waitForURL(/sign-in\?next=/);
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/docs');
  });

  test('with a wrong password is refused once, in words that say how to get in', async () => {
    const page = await browser.open('/');
    await page.waitForURL(/sign-in/);
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('ask an owner for a reset link').waitFor();
    expect(await page.getByText('The e-mail address or the password is wrong.').count()).toBe(1);
  });

  test('again, after signing out, leads back to where it was, and Back to the page before', async () => {
    const page = await browser.signIn(operator.email);
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in\?next=/);
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  });

  test('a wrong password of who is signed in is not called a wrong address', async () => {
    const other = await logIn(service, { role: 'owner' });
    const page = await browser.openAs(other, '');
    await page.goto(`${service.urls.console}/account`);
    await page.getByRole('button', { name: 'Set it up' }).click();
    const setUp = page.getByRole('dialog', { name: 'Set up a second factor' });
    await setUp.getByLabel('Your password').fill('not the password');
    await setUp.getByRole('button', { name: 'Continue' }).click();
    await setUp.getByText('The password of your account is wrong.').waitFor();
    await setUp.getByText('If it is lost, ask an owner for a reset link.').waitFor();
    await keepScreenshot(page, 'second-factor-wrong-password');
    const { app } = await enrol(service, other);
    await page.reload();
    await page.getByRole('button', { name: 'Turn it off' }).click();
    const turnOff = page.getByRole('dialog', { name: 'Turn the second factor off' });
    await turnOff.getByLabel('Your password').fill('not the password');
    await turnOff.getByLabel('Code').fill(app.next());
    await turnOff.getByRole('button', { name: 'Turn it off' }).click();
    await turnOff.getByText('The password of your account is wrong.').waitFor();
  });
});
