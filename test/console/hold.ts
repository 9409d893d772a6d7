import type { Page } from 'playwright-core';

/**
 * Holds the page's requests with one method until the returned function is called.
 *
 * @param address a glob of their addresses
 */
export async function hold(page: Page, address: string, method: string): Promise<() => void> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === method) await isReleased;
    await route.continue();
  });
  return release;
}
