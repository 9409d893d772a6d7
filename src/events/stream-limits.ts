import type { TollgateError } from '../domain/errors';
import { createSlots, noCapacity, type SlotBounds, type Slots } from '../rate-limits/slots';

/** Browsers open at most six connections to a host, so an operator with three browsers stays within the limit. */
const STREAM_BOUNDS: SlotBounds = { process: 500, workspace: 100, caller: 20 };

const WHAT = 'open streams';

/** Creates the slots for open streams. @param changed overrides the default bounds */
export function createStreamLimits(changed: Partial<SlotBounds> = {}): Slots {
  const refusal = { code: 'too_many_streams', taken: 'streams open', what: WHAT, retryAfter: 30 } as const;
  return createSlots({ ...STREAM_BOUNDS, ...changed }, refusal);
}

/** Error of a process that opens no further streams. */
export function noStreamCapacity(): TollgateError {
  return noCapacity(WHAT);
}
