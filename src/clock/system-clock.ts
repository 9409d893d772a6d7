import type { Instant } from '../domain/instant';

/** Source of instants at the edges of the system. All other code receives them as arguments. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };
