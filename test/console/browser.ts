import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { testPassword, type OperatorClient } from '../support/operator';
import { TIMEOUT_MS } from '../support/until';

/** Path of Chromium: `npm test` downloads it and sets the variable. Without it, browser tests are skipped. */
const CHROMIUM = process.env['CHROMIUM_PATH'];

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // Pages of one browser share a process, so that each process compiles the console's code only once.
  '--process-per-site',
];

/** `describe` for tests that need a browser. */
export function inBrowser(name: string, tests: () => void): void {
  // Resolved here because this module is shared, while each test file has its own `describe`.
  if (CHROMIUM === undefined) describe.skip(name, tests);
  else describe(name, tests);
}

/** EVERY_LOOK=1 adds output for human review: screenshots, and more themes and widths of every page. */
export const EVERY_LOOK = process.env['EVERY_LOOK'] === '1';

/** Finishes every finite animation and resolves once the page is drawn, so that no colour is mid-transition. */
export const DRAWN = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  await frame();
  await frame();
})()`;

/** Git-ignored folder for screenshots. */
const SCREENSHOTS = path.join(__dirname, '..', '..', '.screenshots');

interface Look {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** Browser whose pages must be quiet: no console errors, no requests to other hosts, no refused styles. */
export class ConsoleBrowser {
  /** Violations recorded on the pages. */
  readonly complaints: string[] = [];
  /** Contexts by cookie: another page in an existing browser context costs half as much as the first one. */
  private readonly contexts = new Map<string, Promise<BrowserContext>>();
  private newest: Page | undefined;

  private constructor(
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(url: string): Promise<ConsoleBrowser> {
    const executablePath = CHROMIUM ?? '';
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: TIMEOUT_MS });
    return new ConsoleBrowser(browser, url);
  }

  async stop(): Promise<void> {
    await Promise.all(this.pages().map(unroute));
    await this.browser.close();
  }

  /**
   * Closes the pages of the tests so far: an open page keeps drawing and asking, a sixth of the CPU of a file. The
   * newest stays, because its process has compiled the console's code for the next page of its context.
   */
  async closeEarlier(): Promise<void> {
    const earlier = this.pages().filter((page) => page !== this.newest);
    await Promise.all(
      earlier.map(async (page) => {
        await unroute(page);
        await page.close();
      }),
    );
  }

  private pages(): Page[] {
    return this.browser.contexts().flatMap((context) => context.pages());
  }

  /** Opens a page in a fresh browser context. */
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

  /** Opens a page and signs the operator in through the form. */
  async signIn(email: string): Promise<Page> {
    const page = await this.open();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    return page;
  }

  /**
   * Opens a page of the operator's sandbox with the session cookie already set, without the sign-in form. All such
   * pages of one session share a browser context.
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

  /** Opens another page in the same browser context, with the same cookies. */
  async another(context: BrowserContext, at: string): Promise<Page> {
    const page = await context.newPage();
    this.newest = page;
    this.watch(page);
    await page.goto(this.url + at);
    return page;
  }

  /** Opens a page of another site in a browser context of its own. */
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

/** Route handlers that are still answering requests in place of the service would find their page closed. */
function unroute(page: Page): Promise<void> {
  return page.unrouteAll({ behavior: 'ignoreErrors' });
}

/**
 * Raises the timeout to that of the tests: on a loaded machine a page may take longer than the driver's default 30 s.
 */
export function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Switches an open page to another theme and width, and waits until it is drawn. */
export async function look(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(DRAWN);
}

/**
 * Returns axe's serious and critical findings on the page in its current state, and headings that skip a level.
 *
 * @param within a selector that limits the check, for example to a dialog: content behind it is hidden
 */
export async function findBarriers(page: Page, within = 'html'): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })`,
  );
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'heading-order')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
}

/** Saves a screenshot of the page if EVERY_LOOK is set. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!EVERY_LOOK) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
