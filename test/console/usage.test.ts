import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { DAY_MS } from '../../src/domain/instant';
import type { SeriesBody } from '../usage-history/history-workspace';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { TIMEOUT_MS, until } from '../support/until';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { type ConsoleBrowser, findBarriers, inBrowser } from './browser';
import { useConsoleOf } from './use-console';

/** A spreadsheet would evaluate this as a formula. */
const HOSTILE = '=HYPERLINK("http://evil.test","<b>win</b>")';

let world: UsageWorkspace;
let browser: ConsoleBrowser;
let operator: OperatorClient;
let viewer: OperatorClient;
let api: Integrator;
let hostileId: string;

const track = async (externalId: string, quantity: number, more: object = {}): Promise<string> => {
  const answer = await api.track(externalId, 'ai_tokens', quantity, undefined, more);
  if (answer.status !== 200) throw new Error(answer.text);
  return String(answer.body['eventId']);
};

inBrowser('usage (skipped without CHROMIUM_PATH)', () => {
  const provoke = useConsoleOf(
    () => UsageWorkspace.start(),
    async (...started) => {
      [world, browser] = started;
      const { service, workspace, seed } = world;
      api = new Integrator(
        service.urls.sandbox,
        await createKey(service.database, workspace.sandbox, ['usage']),
      );
      const { workspaceId } = workspace;
      operator = await logIn(service, { role: 'developer', workspaceId });
      viewer = await logIn(service, { role: 'viewer', workspaceId });
      const dimensions = ['model'];
      await operator.post('/api/features', {
        body: { key: 'ai_tokens', name: 'AI tokens', kind: 'metered', dimensions },
      });
      const quota = {
        feature: 'ai_tokens',
        quota: 100,
        resetInterval: 'day',
        rollover: { periods: 1 },
      } as const;
      const plan = await seed.plan('tokens', [quota]);
      hostileId = await seed.customer(HOSTILE);
      // One instant for today's usage, because midnight may fall between two calls.
      const now = Date.now();
      const today = new Date(now).toISOString();
      const anchor = now - 10 * DAY_MS;
      await seed.subscription(hostileId, plan, { anchor });
      await seed.subscription(await seed.customer('calm'), plan, { anchor });
      await track(HOSTILE, 7, { properties: { model: 'large' }, timestamp: today });
      await track(HOSTILE, 2.5, { properties: { model: 'small' }, timestamp: today });
      await track(HOSTILE, 30, { timestamp: new Date(now - 2 * DAY_MS).toISOString() });
      await track('calm', 4, { properties: { model: 'small' }, timestamp: today });
      await api.check('calm', 'ai_tokens', 1_000);
    },
  );

  test('the chart and the table have the numbers of the API, and the address what is looked at', async () => {
    const requests: URL[] = [];
    const page = await browser.openAs(operator, '/usage');
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/usage/series')) requests.push(url);
    });
    const table = page.getByRole('table', { name: 'Usage over time' });
    await totalsOf(table, ['43.5']);
    await choose(page, 'Time', 'Last 7 days');
    await choose(page, 'Split by', 'Customer');
    await table.getByRole('columnheader', { name: 'calm' }).waitFor();
    await totalsOf(table, ['39.5', '4', '43.5']);

    const url = requests.findLast(({ searchParams }) => searchParams.get('groupBy') === 'customer');
    const series = (await operator.get(`${url?.pathname ?? ''}${url?.search ?? ''}`))
      .body as unknown as SeriesBody;
    expect(series).toMatchObject({ timeZone: 'Europe/Berlin', quantity: 43.5 });
    const expected = series.groups[0]?.points
      .map((_, place) => series.groups.map(({ points }) => String(points[place]?.quantity)))
      .reverse();
    expect(expected).toHaveLength(7);
    const rows = await cellsOf(table.locator('tbody tr'));
    expect(rows.map((cells) => cells.slice(0, -1))).toEqual(expected);

    // All bars share one scale: their heights are proportional to the values.
    const drawn = series.groups.flatMap(({ points }) =>
      points.map(({ quantity }) => quantity).filter((quantity) => quantity > 0),
    );
    // The chart is drawn some time after the table, and shows what was chosen before until then.
    const bars = page.locator('.recharts-bar-rectangle path');
    await until(async () => (await bars.count()) === drawn.length);
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.recharts-bar-rectangle path')].map((bar) => Number(bar.getAttribute('height')))",
    );
    expect(heights).toHaveLength(drawn.length);
    const pixels = heights.reduce((sum, height) => sum + height, 0) / 43.5;
    heights.forEach((height, place) => {
      expect(height / pixels).toBeCloseTo(drawn[place] ?? 0, 3);
    });

    expect(page.url()).toMatch(/\/usage\?range=7d&group=customer$/);
    await page.reload();
    await table.getByRole('columnheader', { name: 'calm' }).waitFor();
    await choose(page, 'Feature', 'AI tokens');
    await choose(page, 'Split by', 'model');
    await table.getByRole('columnheader', { name: 'Without a value' }).waitFor();
    await totalsOf(table, ['30', '7', '6.5', '43.5']);
    expect(new URL(page.url()).search).toBe('?range=7d&feature=ai_tokens&group=dimension&dimension=model');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the time zone of an address is used by any of its names, and a fixed offset is none', async () => {
    for (const [zone, shown] of [
      ['Asia/Kolkata', 'Asia/Kolkata'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
      ['%2B02:00', 'Europe/Berlin'],
    ] as const) {
      const page = await browser.openAs(operator, `/usage?zone=${zone}`);
      const table = page.getByRole('table', { name: 'Usage over time' });
      await table.getByRole('columnheader', { name: `Day ${shown}` }).waitFor();
      expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe(shown);
    }
  });

  test('the table is downloaded without formulas, and the uses as the API exports them', async () => {
    const page = await browser.openAs(operator, '/usage?range=7d&group=customer');
    provoke('SeriesChart');
    // The table needs no chart, whose files are missing where a newer version has replaced them.
    await page.route('**/assets/SeriesChart*', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByText('The console has failed').waitFor();
    await page.unroute('**/assets/SeriesChart*');
    const lines = (
      await downloaded(page, page.getByRole('button', { name: 'Download the table as CSV' }))
    ).split('\r\n');
    expect(lines[0]).toBe(`start,"'=HYPERLINK(""http://evil.test"",""<b>win</b>"")",calm,Total`);
    // In any row: a new day may have begun in the meantime.
    expect(lines).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\+0[12]:00,9\.5,4,13\.5$/));
    expect(lines).toHaveLength(9);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: 'A chart of the numbers' }).waitFor();
    const uses = await downloaded(page, page.getByRole('link', { name: 'NDJSON' }));
    const quantities = uses
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { quantity: number }).quantity);
    expect(quantities).toEqual([30, 7, 2.5, 4]);

    const top = page.getByRole('table', { name: 'Top customers' });
    expect(await cellsOf(top.locator('tbody tr'))).toEqual([
      [HOSTILE, '39.5', '3', '90.8%'],
      ['calm', '4', '1', '9.2%'],
    ]);
    const denials = page.getByRole('table', { name: 'Denials' });
    await denials.getByText(/Check of 1000 ai_tokens for calm denied/).waitFor();
    await denials.getByRole('link', { name: 'Explain it' }).click();
    await page.getByRole('heading', { name: 'What was asked' }).waitFor();
    await page.goBack();
    await top.getByRole('link', { name: HOSTILE }).click();
    await totalsOf(page.getByRole('table', { name: 'Usage over time' }), ['39.5']);
    expect(new URL(page.url()).searchParams.get('customer')).toBe(HOSTILE);
  });

  test('a customer’s late use is marked, and reversed with a reason; what is held is released', async () => {
    const reserve = { expiresInSeconds: 3_600 };
    await api.send('POST', '/v1/usage/check', {
      externalId: HOSTILE,
      feature: 'ai_tokens',
      quantity: 20,
      reserve,
    });
    const page = await browser.openAs(operator, `/customers/${hostileId}`);
    const entitlements = page.getByRole('region', { name: 'Entitlements' });
    await entitlements.getByText('20 held by reservations').waitFor();
    // Rolled over from yesterday, when nothing was used.
    await entitlements.getByText('100 more from earlier periods').waitFor();
    const uses = page.getByRole('table', { name: `Recorded uses of ${HOSTILE}` });
    const late = uses.getByRole('row').filter({ hasText: 'late' });
    await late.getByRole('button', { name: /^Reverse/ }).click();
    const dialog = page.getByRole('dialog', { name: /Reverse/ });
    await dialog.waitFor();
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await dialog.getByLabel('Reason').fill('Counted twice');
    await dialog.getByLabel('Units').fill('12');
    await dialog.getByRole('button', { name: 'Reverse' }).click();
    await late.getByText('12 reversed').waitFor();
    expect(await late.getByRole('button', { name: /^Reverse/ }).count()).toBe(0);
    await totalsOf(page.getByRole('table', { name: 'Usage over time' }), ['27.5']);
    await late.getByRole('button', { name: /^Details/ }).click();
    const details = page.getByRole('dialog', { name: 'A recorded use' });
    await details.getByText('Counted twice').waitFor();
    await details.getByText(operator.operatorId).waitFor();
    await page.keyboard.press('Escape');
    await uses
      .getByRole('button', { name: /^Details/ })
      .last()
      .waitFor();

    const held = page.getByRole('table', { name: `Reservations of ${HOSTILE}` });
    await held.getByRole('button', { name: /^Release/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release 20' }).click();
    await held.getByText('released').waitFor();
    await entitlements.getByText('20 held by reservations').waitFor({ state: 'detached' });
  });

  test('an entity’s use is shown by itself, and its place is given back', async () => {
    const name = '<i>user</i> \u202e1';
    await track(HOSTILE, 3, { entity: name });
    const page = await browser.openAs(operator, `/customers/${hostileId}`);
    const entities = page.getByRole('table', { name: `Entities of ${HOSTILE}` });
    await entities.getByRole('button', { name: /^Balances/ }).click();
    const balances = page.getByRole('dialog', { name: /has used/ });
    expect(await cellsOf(balances.locator('tbody tr'))).toEqual([
      ['AI tokens', '3', 'shared', expect.stringMatching(/^\d+/)],
    ]);
    expect(await findBarriers(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Escape');
    await entities.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No entity has used anything' }).waitFor();
  });

  test('where there is nothing to show, it says why', async () => {
    const page = await browser.openAs(operator, '/usage?from=2020-01-01&to=2020-01-07');
    await page.getByRole('heading', { name: 'Nothing was used in this time' }).waitFor();
    await page.getByRole('heading', { name: 'Nothing was denied in this time' }).waitFor();
    expect(await page.getByLabel('Last day').inputValue()).toBe('2020-01-07');
    // A name that every object has.
    await page.goto(page.url().replace(/\?.*/, '?range=toString'));
    await page.getByRole('combobox', { name: 'Time', exact: true }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Time', exact: true }).inputValue()).toBe('Last 30 days');
    const field = page.getByRole('combobox', { name: 'Customer' });
    provoke(404);
    await field.fill('nobody');
    await field.press('Enter');
    await page.getByRole('alert').getByText('customer_not_found').waitFor();
  });

  test('days are typed without changing each other on the way, and a day before the first one moves it', async () => {
    const page = await browser.openAs(operator, '/usage?from=2020-01-01&to=2020-01-07');
    const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')];
    const shows = (from: string, to: string) =>
      until(() => new URL(page.url()).search === `?from=${from}&to=${to}`);
    await last.focus();
    // Passes through January, which is before the first day, and the year 2.
    await page.keyboard.type('12152020', { delay: 30 });
    expect(await last.inputValue()).toBe('2020-12-15');
    await page.keyboard.press('Enter');
    await shows('2020-01-01', '2020-12-15');
    await first.focus();
    await last.focus();
    await page.keyboard.type('11022019');
    await first.focus();
    await shows('2019-11-02', '2019-11-02');
    await until(async () => (await first.inputValue()) === '2019-11-02');
    await last.focus();
    await shows('2019-11-02', '2019-11-02');
    // A year of five digits is none.
    await page.keyboard.type('123120201');
    await first.focus();
    await until(async () => (await last.inputValue()) === '2019-11-02');
    await shows('2019-11-02', '2019-11-02');
    // The day after it is not in the calendar of four digits.
    await page.goto(page.url().replace(/to=.*/, 'to=9999-12-31'));
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  test('a viewer sees the same, and why nothing can be reversed', async () => {
    const page = await browser.openAs(viewer, `/customers/${hostileId}`);
    const uses = page.getByRole('region', { name: 'Recorded uses' });
    const button = uses.getByRole('button', { name: /^Reverse/ }).first();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await uses.getByText(/Reversing a use: This needs the role developer/).waitFor();
    // A click could miss the button while the page still moves.
    await button.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Returns the figures of each row. */
async function cellsOf(rows: Locator): Promise<string[][]> {
  await rows.first().waitFor();
  const found: string[][] = [];
  for (const row of await rows.all())
    found.push((await row.locator('td').allInnerTexts()).map((text) => text.trim()));
  return found;
}

/** Waits until the last row of a time series table shows these figures: the table is fetched again after a change. */
async function totalsOf(table: Locator, figures: string[]): Promise<void> {
  const cells = table.locator('tfoot th');
  const read = async (): Promise<string[]> => (await cells.allInnerTexts()).slice(1);
  const deadline = Date.now() + TIMEOUT_MS;
  while (!isDeepStrictEqual(await read(), figures) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await read()).toEqual(figures);
}

async function downloaded(page: Page, press: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press.click()]);
  return readFile(await file.path(), 'utf8');
}
