import { startTestService, type TestService, type TestServiceOptions } from './service';
import { useStarted } from './use-started';

/**
 * Starts the service before the tests of a file or `describe` block, and stops it after them.
 *
 * @param options.planted as of `TestService.stop`
 */
export function useService({
  planted,
  ...options
}: TestServiceOptions & { planted?: { differences: true } } = {}): TestService {
  return useStarted(
    () => startTestService(options),
    (service) => service.stop(planted),
  );
}
