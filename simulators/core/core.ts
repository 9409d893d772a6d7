import { createClock, type RunningClock } from './clock';
import { createFaults } from './faults';
import { createOutbox, type OutboxOptions, type RunningOutbox } from './outbox';
import { createPersistence, type PersistenceOptions, type RunningPersistence } from './persistence';
import type { SimulatorCore } from './types';

export interface CoreOptions extends OutboxOptions, PersistenceOptions {
  /** The real clock; tests may pass their own. */
  real?: (() => number) | undefined;
}

export interface RunningCore extends SimulatorCore {
  clock: RunningClock;
  outbox: RunningOutbox;
  persistence: RunningPersistence;
}

/** Creates the parts that the simulated providers share. */
export function createCore(options: CoreOptions = {}): RunningCore {
  const persistence = createPersistence(options);
  const clock = createClock(options.real ?? Date.now, persistence);
  const outbox = createOutbox(clock, options, persistence);
  const core = { clock, outbox, faults: createFaults(persistence), persistence };
  persistence.part('core', core);
  return core;
}
