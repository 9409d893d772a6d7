import type { Role } from '../../src/operators/roles';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { ConsoleBrowser } from './browser';

export interface StartedConsole {
  service: TestService;
  browser: ConsoleBrowser;
  /** Member of a workspace of its own. */
  operator: OperatorClient;
}

type Options = Parameters<typeof startTestService>[0] & {
  /** The operator's role, `owner` if left out. */
  role?: Role;
  /** Statuses and network errors that the tests provoke. Chromium reports each one as an error of the page. */
  provoked?: readonly (number | `net::${string}`)[];
};

/**
 * Starts a service, a browser for its console and an operator before the tests of a `describe` block, and stops them
 * after the tests. A test fails if a page complains, unless about what was provoked.
 *
 * @param take keeps what was started, and prepares the rest
 */
export function useConsole(
  { role = 'owner', provoked = [], ...options }: Options,
  take: (started: StartedConsole) => void | Promise<void>,
): void {
  let started: StartedConsole;
  beforeAll(async () => {
    const service = await startTestService(options);
    const browser = await ConsoleBrowser.start(service.urls.console);
    started = { service, browser, operator: await logIn(service, { role }) };
    await take(started);
  });
  afterEach(() => {
    const isProvoked = (complaint: string) =>
      provoked.some((one) => complaint.includes(typeof one === 'number' ? `a status of ${one}` : one));
    expect(started.browser.complaints.splice(0).filter((complaint) => !isProvoked(complaint))).toEqual([]);
  });
  afterAll(async () => {
    await started.browser.stop();
    await started.service.stop();
  });
}
