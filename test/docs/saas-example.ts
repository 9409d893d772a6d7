import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type Page } from 'playwright-core';
import { patient } from '../console/browser';
import { TIMEOUT_MS } from '../support/until';

/** `examples/saas/app.mjs`, run as in the quickstart, and a browser for its customers. */
export class SaasExample {
  private constructor(
    private readonly child: ChildProcess,
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  static async start(folder: string, env: Record<string, string>): Promise<SaasExample> {
    const { PATH } = process.env;
    const child = spawn(process.execPath, ['examples/saas/app.mjs'], {
      cwd: folder,
      env: { PATH, ...env, PORT: '0' },
    });
    child.stderr.pipe(process.stderr);
    let said = '';
    while (!said.includes('\n')) {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      said += chunk.toString();
    }
    const url = /http:\S+/.exec(said)?.[0] ?? '';
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      timeout: TIMEOUT_MS,
    });
    return new SaasExample(child, browser, url);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    if (this.child.exitCode === null) {
      this.child.kill();
      await once(this.child, 'close');
    }
  }

  /** Signs a customer in, and returns its page. */
  async signIn(name: string): Promise<Page> {
    const page = await patient(await this.browser.newContext()).newPage();
    await page.goto(this.url);
    await page.getByLabel('Name').fill(name);
    await this.press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    return page;
  }

  async press(page: Page, button: string): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).click();
  }

  /** Buys Pro at a provider. @param pays the button of its page */
  async buyPro(page: Page, at: 'A' | 'B' | 'C', pays: string): Promise<void> {
    await this.press(page, `Pro: pay with ${at}`);
    await this.press(page, pays);
    await page.getByRole('heading', { name: 'Your plan: Pro' }).waitFor();
  }

  /** Writes a poem. @returns the remaining quota */
  async work(page: Page): Promise<string> {
    await this.press(page, 'Write a poem (500 tokens)');
    await page.getByRole('status').waitFor();
    return page.locator('[data-feature=ai_tokens]').innerText();
  }

  /** Changes to Scale after viewing the preview. @returns the text of the preview */
  async upgrade(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Change to Scale' }).click();
    await page.getByRole('heading', { name: 'Change to scale' }).waitFor();
    const preview = await page.locator('body').innerText();
    await this.press(page, 'Change my plan');
    return preview;
  }

  /** Reloads the customer's page until it shows a text. */
  async until(page: Page, text: string | RegExp): Promise<void> {
    const wanted = page.getByText(text).first();
    for (;;) {
      await page.goto(this.url);
      if (await wanted.isVisible()) return;
    }
  }
}
