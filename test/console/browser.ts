import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { testPassword, type OperatorClient } from '../support/operator';

/** Chromium; `npm test` gets it and sets the variable. Without it the tests in a browser are skipped. */
const CHROMIUM = process.env['CHROMIUM_PATH'];

/** As `describe`, for tests that need a browser. */
export function inBrowser(name: string, tests: () => void): void {
  // Looked up here: this module is shared, and each test file has a `describe` of its own.
  if (CHROMIUM === undefined) describe.skip(name, tests);
  else describe(name, tests);
}

/** The ignored folder of screenshots. */
const SCREENSHOTS = path.join(__dirname, '..', '..', '.screenshots');

interface Look {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** A browser whose pages must be quiet: no error in the console, no request to another host, no refused style. */
export class ConsoleBrowser {
  /** What a page should not have done. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(url: string): Promise<ConsoleBrowser> {
    const executablePath = CHROMIUM ?? '';
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    return new ConsoleBrowser(await chromium.launch({ executablePath, args }), url);
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }

  /** A page of a browser that nobody has used. */
  async open(at = '/', look: Look = {}): Promise<Page> {
    return this.another(await this.context(look), at);
  }

  private context(look: Look): Promise<BrowserContext> {
    return this.browser.newContext({
      viewport: { width: look.width ?? 1280, height: 900 },
      colorScheme: look.colorScheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
    });
  }

  /** A page with an operator signed in by hand. */
  async signIn(email: string, at = '/', look: Look = {}): Promise<Page> {
    const page = await this.open(at, look);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    return page;
  }

  /** A page of the operator's sandbox, in a browser that has the session already: without the sign-in by hand. */
  async openAs(operator: OperatorClient, path: string): Promise<Page> {
    const [name = '', value = ''] = operator.cookie.split('=');
    const { body } = await operator.get('/api/organizations', { env: null });
    const organizations = body['data'] as { id: string; slug: string }[];
    const slug = organizations.find(({ id }) => id === operator.workspaceId)?.slug ?? '';
    const context = await this.context({});
    await context.addCookies([{ name, value, url: this.url }]);
    return this.another(context, `/o/${slug}/sandbox${path}`);
  }

  /** Another page of the same browser, with the same cookies. */
  async another(context: BrowserContext, at: string): Promise<Page> {
    const page = await context.newPage();
    this.watch(page);
    await page.goto(this.url + at);
    return page;
  }

  /** A page of somebody else's site, in a browser of its own. */
  async elsewhere(address: string): Promise<Page> {
    const page = await (await this.browser.newContext()).newPage();
    await page.goto(address);
    return page;
  }

  private watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(this.url).origin)
        this.complaints.push(`${page.url()} asked ${request.url()}`);
    });
  }
}

/**
 * The serious and critical findings of axe on the page as it is.
 *
 * @param within a selector, for a dialog alone: what stands behind it is hidden
 */
export async function findBarriers(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(within)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
}

/** Keeps what the page looks like, for people. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
