import type { Role } from '../../src/operators/roles';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service';
import { useStarted } from '../support/use-started';
import { ConsoleBrowser } from './browser';

export interface StartedConsole {
  service: TestService;
  browser: ConsoleBrowser;
  /** Member of a workspace of its own. */
  operator: OperatorClient;
}

/** A status or a network error, which Chromium reports as an error of the page; or another part of its report. */
type Complaint = number | string;

type Options = TestServiceOptions & {
  /** The operator's role, `owner` if left out. */
  role?: Role;
  /** What all tests provoke. */
  provoked?: readonly Complaint[];
};

/** Says what the running test provokes. */
type Provoke = (...complaints: Complaint[]) => void;

/** What has a console: a service, or a world with one. */
interface WithConsole {
  service: { urls: { console: string } };
  stop(): Promise<void>;
}

/**
 * Starts a service, a browser for its console and an operator before the tests of a `describe` block, and stops them
 * after the tests. A test fails if a page complains, unless about what was provoked.
 *
 * @param take keeps what was started, and prepares the rest
 * @returns a function for a test that provokes a complaint
 */
export function useConsole(
  { role = 'owner', provoked = [], ...options }: Options,
  take: (started: StartedConsole) => void | Promise<void>,
): Provoke {
  const start = async () => {
    const service = await startTestService(options);
    return { service, stop: () => service.stop() };
  };
  return useConsoleOf(
    start,
    async ({ service }, browser) => {
      await take({ service, browser, operator: await logIn(service, { role }) });
    },
    provoked,
  );
}

/** Does the same with a console that the tests start themselves. */
export function useConsoleOf<World extends WithConsole>(
  start: () => Promise<World>,
  take: (world: World, browser: ConsoleBrowser) => void | Promise<void>,
  provoked: readonly Complaint[] = [],
): Provoke {
  let accepted = [...provoked];
  const started = useStarted(async () => {
    const world = await start();
    const browser = await ConsoleBrowser.start(world.service.urls.console);
    const stop = async () => {
      await browser.stop();
      await world.stop();
    };
    return { world, browser, stop };
  });
  beforeAll(() => take(started.world, started.browser));
  afterEach(async () => {
    const isProvoked = (complaint: string) =>
      accepted.some((one) => complaint.includes(typeof one === 'number' ? `a status of ${one}` : one));
    const others = started.browser.complaints.splice(0).filter((complaint) => !isProvoked(complaint));
    accepted = [...provoked];
    await started.browser.closeEarlier();
    expect(others).toEqual([]);
  });
  return (...complaints) => {
    accepted.push(...complaints);
  };
}
