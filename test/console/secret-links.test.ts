import type { Page } from 'playwright-core';
import { logIn, type OperatorClient } from '../support/operator';
import { addressOf, tokenOf } from '../support/secret-link';
import type { TestService } from '../support/service';
import { type ConsoleBrowser, findBarriers, inBrowser } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let owner: OperatorClient;
let made = 0;

const newPassword = 'another horse, another battery';
const members = () => `/api/organizations/${owner.workspaceId}/members`;

async function invitation(): Promise<{ email: string; link: unknown }> {
  made += 1;
  const email = `invited-${made}@example.test`;
  const { body } = await owner.post(members(), { env: null, body: { email, role: 'viewer' } });
  return { email, link: body['link'] };
}

async function resetLink(): Promise<{ email: string; link: unknown }> {
  const { operatorId, email } = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
  const { body } = await owner.post(`${members()}/${operatorId}/reset-link`, { env: null });
  return { email, link: body['link'] };
}

const accept = async (page: Page): Promise<void> => {
  await page.getByLabel('Your name').fill('New');
  await page.getByLabel('A password').fill(newPassword);
  await page.getByRole('button', { name: 'Create the account and join' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
};
const reset = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Reset the account' }).click();
  await page.getByRole('link', { name: `Sign in as ${email}` }).waitFor();
};

const KINDS = [
  { kind: 'an invitation', path: '/invite', make: invitation, use: accept, refusal: 'invitation_invalid' },
  { kind: 'a reset link', path: '/reset', make: resetLink, use: reset, refusal: 'reset_link_invalid' },
];
/** The link's form in earlier versions. */
const earlier = (link: unknown): string => addressOf(link).replace('#', '/');

inBrowser('links with a secret token (skipped without CHROMIUM_PATH)', () => {
  useConsole({ provoked: [401, 404] }, (started) => {
    ({ service, browser, operator: owner } = started);
  });

  const lookedUp = async (page: Page, { path, email }: { path: string; email: string }): Promise<void> => {
    await page.getByText(email).waitFor();
    expect(page.url()).toBe(browser.url + path);
    // What a password manager stores the password under.
    expect(await page.locator('form input[autocomplete=username]').inputValue()).toBe(email);
  };

  /** Reloads the page, leaves it for the sign-in before it, and comes back. */
  const revisit = async (page: Page, link: { path: string; email: string }): Promise<void> => {
    await page.reload();
    await lookedUp(page, link);
    await page.goBack();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goForward();
    await lookedUp(page, link);
  };

  describe.each(KINDS)('$kind', ({ path, make, use, refusal }) => {
    test('works, and its token is in no request’s address or Referer, and not in the history', async () => {
      const { email, link } = await make();
      const page = await browser.open('/sign-in');
      const requests: string[] = [];
      page.on('request', (request) => {
        requests.push(request.url(), request.headers()['referer'] ?? '');
      });
      await page.goto(browser.url + addressOf(link));
      await lookedUp(page, { path, email });
      expect(await findBarriers(page)).toEqual([]);
      await revisit(page, { path, email });
      await use(page, email);
      expect(requests).toContain(`${browser.url}${path}`);
      // A request reports its address with the fragment, which is not sent.
      const sent = requests.map((address) => address.split('#')[0] ?? '');
      expect(sent.filter((address) => address.includes(tokenOf(link)))).toEqual([]);
    });

    test('works with its token in the path, which is removed without loading the page again', async () => {
      const { email, link } = await make();
      const page = await browser.open('/sign-in');
      let documents = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents += 1;
      });
      await page.goto(browser.url + earlier(link));
      await lookedUp(page, { path, email });
      expect(documents).toBe(1);
      await revisit(page, { path, email });
      await use(page, email);
    });

    test('takes the place of another one in the same window, with an empty form', async () => {
      const [first, second] = [await make(), await make()];
      const page = await browser.open(addressOf(first.link));
      await lookedUp(page, { path, email: first.email });
      await page.getByRole('textbox', { name: /password/i }).fill('typed for the first one');
      await page.evaluate(`location.hash = ${JSON.stringify(tokenOf(second.link))}`);
      await lookedUp(page, { path, email: second.email });
      expect(await page.getByText(first.email).count()).toBe(0);
      expect(await page.getByRole('textbox', { name: /password/i }).inputValue()).toBe('');
      await use(page, second.email);
    });

    test('is refused if its token is wrong or used', async () => {
      const { email, link } = await make();
      const used = await browser.open(addressOf(link));
      await use(used, email);
      const wrong = `${path}#${'x'.repeat(43)}`;
      for (const address of [addressOf(link), earlier(link), wrong, `${path}#%`, wrong.replace('#', '/')]) {
        const page = await browser.open(address);
        await page.getByText(refusal).waitFor();
        expect(page.url()).toBe(browser.url + path);
      }
    });

    test('without its token is said to be incomplete', async () => {
      for (const address of [path, `${path}/`, `${path}#`]) {
        const page = await browser.open(address);
        await page.getByRole('heading', { name: 'The link is incomplete' }).waitFor();
        expect(await findBarriers(page)).toEqual([]);
      }
    });
  });
});
