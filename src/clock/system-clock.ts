import type { Instant } from '../domain/instant';

/** Where instants come from at the edges; everything inside takes them as arguments. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };
