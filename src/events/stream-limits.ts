import { TollgateError } from '../domain/errors';
import { createSlots, type SlotBounds, type Slots } from '../rate-limits/slots';

/** Browsers open at most six connections to a host, so an operator with three browsers stays within the limit. */
const STREAM_BOUNDS: SlotBounds = { process: 500, workspace: 100, caller: 20 };

/** Creates the slots for open streams. @param changed overrides the default bounds */
export function createStreamLimits(changed: Partial<SlotBounds> = {}): Slots {
  const bounds = { ...STREAM_BOUNDS, ...changed };
  return createSlots(bounds, (bound) => {
    if (bound === 'process') return noStreamCapacity();
    const whose = bound === 'caller' ? 'You have' : 'This organization has';
    const detail = `${whose} ${bounds[bound]} streams open already.`;
    return new TollgateError('too_many_streams', detail, { retryAfter: 30 });
  });
}

/** Error of a process that opens no further streams. */
export function noStreamCapacity(): TollgateError {
  const detail = 'This process has reached its limit of open streams.';
  return new TollgateError('service_busy', detail, { retryAfter: 5 });
}
