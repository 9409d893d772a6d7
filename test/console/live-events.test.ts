import type { Page } from 'playwright-core';
import { CatalogueSeeder } from '../support/catalogue';
import { seedEvents } from '../support/events';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import type { TestService } from '../support/service';
import { startSwitchingProxy } from '../support/switching-proxy';
import { until } from '../support/until';
import { untilTaken } from '../support/until-taken';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { ConsoleBrowser, inBrowser } from './browser';
import { useConsole } from './use-console';

let service: TestService;
let browser: ConsoleBrowser;
let workspace: TestWorkspace;
let viewer: OperatorClient;
const FEATURES = [0, 1, 2, 3, 4];

inBrowser('live events (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsole({}, (started) => {
    ({ service, browser } = started);
  });
  beforeEach(async () => {
    workspace = await createWorkspace(service.database);
    const seeder = new CatalogueSeeder(service.database, workspace.sandbox);
    await seeder.customer('live');
    for (const index of FEATURES) await seeder.feature(`feature_${index}`);
    viewer = await logIn(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
  });

  /** Sends checks that are denied because there is no subscription: each writes one event. */
  async function check(from: number, to: number): Promise<void> {
    const api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    await Promise.all(
      Array.from({ length: to - from }, async (_, index) => {
        const feature = `feature_${(from + index) % FEATURES.length}`;
        const { status, text } = await untilTaken(() => api.check('live', feature));
        if (status !== 200) throw new Error(text);
      }),
    );
  }
  /** Inserts events as rows, one batch per statement; a test below proves that each check writes one event. */
  async function seed(count: number, from: number): Promise<void> {
    for (let done = 0; done < count; done += 200) {
      await seedEvents(
        service.database,
        workspace.sandbox,
        Array.from({ length: Math.min(200, count - done) }, (_, index) => ({
          createdAt: from + done + index,
        })),
      );
    }
  }
  const recorded = async (): Promise<number> => {
    const [row] = await service.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM tollgate.developer_events WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    return row?.n ?? 0;
  };
  async function open(through = browser): Promise<Page> {
    const page = await through.openAs(viewer, '/events');
    await page.locator('[data-stream="live"]').waitFor();
    return page;
  }
  /** Returns the ids of all events in the list, scrolled from top to bottom: one id per position. */
  async function listed(page: Page): Promise<string[]> {
    return page.evaluate<string[]>(`(async () => {
      const frame = document.querySelector('[role="region"][aria-label="Events"]');
      if (frame === null) return [];
      const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done()))));
      const seen = [];
      frame.scrollTop = 0;
      for (;;) {
        await drawn();
        for (const row of frame.querySelectorAll('[data-event]')) seen[row.dataset.index] = row.dataset.event;
        if (frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 2) return Array.from(seen, (id) => id ?? 'not drawn');
        // A page at a time, and the row at its edge again.
        frame.scrollTop += Math.max(frame.clientHeight - 40, 1);
      }
    })()`);
  }

  /**
   * Returns the length of the list, read from its last row. Scrolling there makes the console load older events, as it
   * does for a person.
   */
  async function lengthOf(page: Page): Promise<number> {
    return page.evaluate<number>(`(async () => {
      const frame = document.querySelector('[role="region"][aria-label="Events"]');
      if (frame === null) return 0;
      frame.scrollTop = frame.scrollHeight;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return Math.max(-1, ...Array.from(frame.querySelectorAll('[data-index]'), (row) => Number(row.dataset.index))) + 1;
    })()`);
  }
  /** Waits until the list has the expected length, and returns its ids. */
  async function listedWhenAll(page: Page, all: number): Promise<string[]> {
    await until(async () => (await lengthOf(page)) >= all);
    return listed(page);
  }

  test('500 events in bursts are all shown, each once', async () => {
    const page = await open();
    for (let burst = 0; burst < 5; burst += 1) await check(burst * 100, burst * 100 + 100);
    const all = await recorded();
    expect(all).toBe(500);
    const ids = await listedWhenAll(page, all);
    expect([ids.length, new Set(ids).size]).toEqual([all, all]);
  });

  test('paused, new ones are counted and held back; resumed, they are there', async () => {
    const page = await open();
    await check(0, 5);
    await until(async () => (await listed(page)).length === 5);
    await page.getByRole('button', { name: 'Pause' }).click();
    await check(5, 12);
    await page.getByRole('button', { name: 'Resume (7 new)' }).waitFor();
    expect(await listed(page)).toHaveLength(5);
    await page.getByRole('button', { name: 'Resume (7 new)' }).click();
    await until(async () => (await listed(page)).length === 12);
  });

  test('after the process at its other end is gone and another has come, no event is missing or shown twice', async () => {
    const another = await service.another();
    const proxy = await startSwitchingProxy(service.api.ports.console);
    const behind = await ConsoleBrowser.start(`http://127.0.0.1:${proxy.port}`);
    try {
      const page = await open(behind);
      await check(0, 20);
      await until(async () => (await listed(page)).length === 20);
      proxy.cut();
      await page.locator('[data-stream="live"]').waitFor({ state: 'detached' });
      await check(20, 40);
      proxy.aim(another.api.ports.console);
      await check(40, 60);
      await page.locator('[data-stream="live"]').waitFor();
      await check(60, 80);
      const ids = await listedWhenAll(page, 80);
      expect([ids.length, new Set(ids).size]).toEqual([80, 80]);
    } finally {
      await behind.stop();
      await proxy.stop();
    }
  });

  test('a connection that is dead without the browser’s knowledge is opened again, and no event is missing', async () => {
    const proxy = await startSwitchingProxy(service.api.ports.console);
    const behind = await ConsoleBrowser.start(`http://127.0.0.1:${proxy.port}`);
    try {
      const page = await behind.open('/sign-in');
      await page.addInitScript(`{
        const Original = window.EventSource;
        window.EventSource = class extends Original {
          constructor(address) {
            super(address);
            document.body.setAttribute('data-streams', Number(document.body.getAttribute('data-streams')) + 1);
            this.addEventListener('heartbeat', () => document.body.setAttribute('data-heartbeat', ''));
          }
        };
      }`);
      const [name = '', value = ''] = viewer.cookie.split('=');
      await page.context().addCookies([{ name, value, url: behind.url }]);
      await page.clock.install();
      await page.goto(`${behind.url}/`);
      await page.getByRole('link', { name: 'Live events' }).click();
      await page.locator('[data-stream="live"]').waitFor();
      await page.locator('body[data-heartbeat]').waitFor();
      proxy.freeze();
      await check(0, 20);
      // What it is replaced by is not answered either.
      for (const streams of [2, 3]) {
        await page.clock.fastForward('01:00');
        await page.locator(`body[data-streams="${streams}"]`).waitFor();
      }
      proxy.cut();
      proxy.aim(service.api.ports.console);
      expect(await listedWhenAll(page, 20)).toHaveLength(20);
    } finally {
      await behind.stop();
      await proxy.stop();
    }
  });

  test('of more events than a tab keeps none is missing in the list', async () => {
    const page = await open();
    await seed(2_200, Date.now());
    const all = await recorded();
    expect(all).toBe(2_200);
    const ids = await listedWhenAll(page, all);
    expect([ids.length, new Set(ids).size]).toEqual([all, all]);
  });

  test('a gap is filled where older events are asked for at that time', async () => {
    await seed(300, Date.now() - 60_000);
    const page = await open();
    await page.locator('[data-event]').first().waitFor();
    // The gap makes the page read the first page again: that request is held until the end of the list has been
    // checked.
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let isAsked = false;
    await page.route(/developer-events\?(?!.*cursor)/, async (route) => {
      isAsked = true;
      await isReleased;
      await route.continue();
    });
    await seed(2_200, Date.now());
    await until(() => isAsked);
    await lengthOf(page);
    release();
    const ids = await listedWhenAll(page, 2_500);
    expect([ids.length, new Set(ids).size]).toEqual([2_500, 2_500]);
  });

  test('a filter is kept in the address, and applies to new events', async () => {
    const page = await open();
    await page.getByLabel('Search messages and sources').fill('feature_3');
    await page.waitForURL(/search=feature_3/);
    await check(0, 5);
    await until(async () => (await listed(page)).length === 1);
    // A screen reader reads how many there are in the list.
    await page.getByRole('status').getByText('1 new event', { exact: true }).waitFor({ state: 'attached' });
    await page.reload();
    await until(async () => (await listed(page)).length === 1);
  });

  test('an id that is pasted into the search leads to its event, and a request that narrows the list is named', async () => {
    await check(0, 2);
    const api = { query: { organizationId: workspace.workspaceId, env: 'sandbox' } };
    const { body } = await viewer.get('/api/developer-events', api);
    const [event] = body['data'] as { id: string; message: string; data: { requestId: string } }[];
    const page = await browser.openAs(viewer, '/customers');
    const open = async (id: string) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox', { name: 'Search', exact: true }).fill(id);
      await page.getByText(`Open ${id}`).click();
    };
    const rows = page.getByText(event?.message ?? '', { exact: true });
    await open(event?.id ?? '');
    await rows.waitFor();
    expect(await page.getByLabel('Search messages and sources').inputValue()).toBe(event?.id);
    await open(event?.data.requestId ?? '');
    await page.getByText('Only of the request').waitFor();
    await rows.waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForURL(/\/events$/);
    await page.getByText('Only of the request').waitFor({ state: 'detached' });
  });

  test('a search does not say that there is nothing before it has read all', async () => {
    const many = Array.from({ length: 40_000 }, (_, index) => ({
      message: index === 0 ? 'The needle.' : 'Hay.',
    }));
    await seedEvents(service.database, workspace.sandbox, many);
    const page = await browser.openAs(viewer, '/events?search=needle');
    const further = page.getByRole('button', { name: 'Search further back' });
    await further.waitFor();
    expect(await page.getByText('No events match', { exact: true }).count()).toBe(0);
    const needle = page.getByText('The needle.', { exact: true });
    const ready = page.locator('button:not([aria-busy=true])', { hasText: 'Search further back' });
    const isFound = () => needle.isVisible();
    while (!(await isFound())) {
      await ready.press('Enter');
      await until(async () => (await isFound()) || (await ready.count()) > 0);
    }
    await further.waitFor({ state: 'detached' });
    await page.locator('#content:focus').waitFor();
  });

  test('a session that ends on one page ends the stream on the other', async () => {
    const page = await open();
    const other = await browser.another(page.context(), '/account');
    await other.goto(browser.url + new URL(page.url()).pathname.replace(/\/events$/, ''));
    await other.getByRole('button', { name: /^Account of/ }).click();
    provoke(401);
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
  });

  test('an event between the read of the list and the first stream that opens is not missed', async () => {
    provoke(503);
    const page = await browser.openAs(viewer, '/settings');
    let isRefused = false;
    await page.route('**/developer-events/stream?*', async (route) => {
      if (isRefused) return route.fallback();
      isRefused = true;
      return route.fulfill({ status: 503 });
    });
    const read = page.waitForResponse(/developer-events\?/);
    await page.getByRole('link', { name: 'Live events' }).click();
    await (await read).finished();
    await check(0, 1);
    await page.locator('[data-stream="live"]').waitFor();
    await until(async () => (await listed(page)).length === 1);
  });

  test('a stream that a proxy holds back does not hold back the list', async () => {
    await check(0, 1);
    const page = await browser.openAs(viewer, '/settings');
    await page.route('**/developer-events/stream?*', () => undefined);
    await page.getByRole('link', { name: 'Live events' }).click();
    await page.locator('[data-stream="reconnecting"]').waitFor();
    await until(async () => (await listed(page)).length === 1);
  });

  test('six pages in the background leave a connection to the others, and read what they have missed', async () => {
    const show = (page: Page, state: 'hidden' | 'visible') =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    const pages: Page[] = [];
    for (let made = 0; made < 6; made += 1) {
      const page = await open();
      await show(page, 'hidden');
      pages.push(page);
    }
    const other = await browser.openAs(viewer, '/customers');
    await other.getByRole('table', { name: 'Customers' }).waitFor();
    await check(0, 2);
    const [first] = pages;
    if (first === undefined) throw new Error('No page.');
    await show(first, 'visible');
    await until(async () => (await listed(first)).length === 2);
    await check(2, 3);
    await until(async () => (await listed(first)).length === 3);
  });

  test('an event opens with all that it holds', async () => {
    const page = await open();
    await check(0, 1);
    await page.locator('[data-event] button').first().click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByLabel('The event as JSON').waitFor();
    expect(await drawer.getByLabel('The event as JSON').textContent()).toContain('feature_0');
  });
});
