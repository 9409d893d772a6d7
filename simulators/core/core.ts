import { createClock, type RunningClock } from './clock';
import { createFaults } from './faults';
import { createOutbox, type OutboxOptions, type RunningOutbox } from './outbox';
import type { Faults } from './types';

export interface CoreOptions extends OutboxOptions {
  /** The real clock; tests may give their own. */
  real?: (() => number) | undefined;
}

/** What the simulated providers share. */
export function createCore(options: CoreOptions = {}): {
  clock: RunningClock;
  outbox: RunningOutbox;
  faults: Faults;
} {
  const clock = createClock(options.real);
  return { clock, outbox: createOutbox(clock, options), faults: createFaults() };
}
