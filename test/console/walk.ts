import type { Page, Request } from 'playwright-core';

/** Name of a page, and its path on the console's host. */
export type Address = [name: string, path: string];

/** Returns the section of the console that a path belongs to. */
export function sectionOf(path: string, base: string): string {
  const [first = ''] = path.replace(base, '').slice(1).split(/[/?]/);
  return first;
}

/** Reorders addresses round-robin by section: two pages of one section are adjacent at most at the end. */
export function alternately(all: Address[], base: string): Address[] {
  const sections = new Map<string, Address[]>();
  for (const address of all) {
    const section = sectionOf(address[1], base);
    sections.set(section, [...(sections.get(section) ?? []), address]);
  }
  const lists = [...sections.values()];
  const turns = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: turns }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

/**
 * Navigates to a page of another section as a link does, without loading a new document. Resolves when the previous
 * page's heading is gone; within one section the heading may stay.
 */
export async function walkTo(page: Page, path: string): Promise<void> {
  const left = await page.getByRole('heading', { level: 1 }).elementHandle();
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await left.waitForElementState('hidden');
}

/**
 * @returns whether every request of the page has been answered; the live event stream is excluded because it never ends
 */
export function answersTo(page: Page): () => boolean {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/stream')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size === 0;
}

/**
 * Waits until the page neither loads nor has open requests for several consecutive frames, because a response may cause
 * another request.
 */
export async function comeToRest(page: Page, answered: () => boolean): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (let quiet = 0; quiet < 4; quiet = answered() ? quiet + 1 : 0) {
    await page.locator('[aria-label^="Loading"]').first().waitFor({ state: 'detached' });
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
    );
  }
}
