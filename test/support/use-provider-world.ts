import { ProviderARow } from './provider-a-row';
import { ProviderRow } from './provider-row';
import { ProviderWorld, type ProviderWorldOptions } from './provider-world';
import { useStarted } from './use-started';

type Options = ProviderWorldOptions & {
  /** As of `TestService.stop`. */
  planted?: { differences: true };
};

/** Starts the service and the simulated providers before the tests of a file or `describe` block, and stops them after. */
export function useProviderWorld({ planted, ...options }: Options = {}): ProviderWorld {
  return useStarted(
    () => ProviderWorld.start(options),
    (world) => world.stop(planted),
  );
}

/** The same with the tests' view of its subscriptions, which end after each test. */
export function useProviderRow(options?: Options): { world: ProviderWorld; row: ProviderRow } {
  const world = useProviderWorld(options);
  const row = new ProviderRow(world);
  afterEach(() => row.endAll());
  return { world, row };
}

/** The same for provider A. Only the subscriptions that a test has made by its row end after it. */
export function useProviderARow(options?: Options): { world: ProviderWorld; row: ProviderARow } {
  const world = useProviderWorld(options);
  const row = new ProviderARow(world);
  afterEach(() => row.rest());
  return { world, row };
}
