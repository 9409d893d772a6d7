import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { testPassword, type OperatorClient } from '../support/operator';
import { PATIENCE_MS } from '../support/until';

/** Chromium; `npm test` gets it and sets the variable. Without it the tests in a browser are skipped. */
const CHROMIUM = process.env['CHROMIUM_PATH'];

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // Pages of one browser share a process: each compiles the console's code no more than once.
  '--process-per-site',
];

/** As `describe`, for tests that need a browser. */
export function inBrowser(name: string, tests: () => void): void {
  // Looked up here: this module is shared, and each test file has a `describe` of its own.
  if (CHROMIUM === undefined) describe.skip(name, tests);
  else describe(name, tests);
}

/** EVERY_LOOK=1 adds what a person looks at: screenshots, and further looks of every page. */
export const EVERY_LOOK = process.env['EVERY_LOOK'] === '1';

/** Ends every animation that has an end, and resolves when the page is drawn so: no colour is on its way to another. */
const DRAWN = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  await frame();
  await frame();
})()`;

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
  /** By cookie: another page of a browser that was here costs half of the first one. */
  private readonly contexts = new Map<string, Promise<BrowserContext>>();

  private constructor(
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(url: string): Promise<ConsoleBrowser> {
    const executablePath = CHROMIUM ?? '';
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE_MS });
    return new ConsoleBrowser(browser, url);
  }

  async stop(): Promise<void> {
    // What still answers a request of a page in place of the service finds the page gone.
    const routed = this.browser.contexts().flatMap((context) => context.pages());
    await Promise.all(routed.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await this.browser.close();
  }

  /** A page of a browser that nobody has used. */
  async open(at = '/', look: Look = {}): Promise<Page> {
    return this.another(await this.context(look), at);
  }

  private async context(look: Look): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      viewport: { width: look.width ?? 1280, height: 900 },
      colorScheme: look.colorScheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
    });
    return patient(context);
  }

  /** A page with an operator signed in by hand. */
  async signIn(email: string): Promise<Page> {
    const page = await this.open();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    return page;
  }

  /**
   * A page of the operator's sandbox, in a browser that has the session already: without the sign-in by hand. All such
   * pages of one session are of one browser.
   */
  async openAs(operator: OperatorClient, path: string): Promise<Page> {
    const { body } = await operator.get('/api/organizations', { env: null });
    const organizations = body['data'] as { id: string; slug: string }[];
    const slug = organizations.find(({ id }) => id === operator.workspaceId)?.slug ?? '';
    const context = this.contexts.get(operator.cookie) ?? this.contextOf(operator.cookie);
    this.contexts.set(operator.cookie, context);
    return this.another(await context, `/o/${slug}/sandbox${path}`);
  }

  private async contextOf(cookie: string): Promise<BrowserContext> {
    const [name = '', value = ''] = cookie.split('=');
    const context = await this.context({});
    await context.addCookies([{ name, value, url: this.url }]);
    return context;
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
    const page = await patient(await this.browser.newContext()).newPage();
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

/** Waits as long as the tests do: on a loaded machine a page may take longer than the browser driver's 30 s. */
export function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Gives a page that is there another theme and width, and waits until it is drawn so. */
export async function look(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(DRAWN);
}

/**
 * The serious and critical findings of axe on the page as it is.
 *
 * @param within a selector, for a dialog alone: what stands behind it is hidden
 */
export async function findBarriers(page: Page, within = 'html'): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
}

/** Keeps what the page looks like, for people who ask for it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!EVERY_LOOK) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
