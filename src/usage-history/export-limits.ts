import { TollgateError } from '../domain/errors';
import { createSlots, type Slots } from '../rate-limits/slots';

/** A part of the largest uses takes several megabytes of memory, and tens of milliseconds to read and to write. */
const BOUNDS = { process: 40, workspace: 10, caller: 5 };

/** Creates the slots for exports in progress. */
export function createExportLimits(): Slots {
  return createSlots(BOUNDS, (bound) => {
    if (bound === 'process') {
      const detail = 'This process has reached its limit of exports.';
      return new TollgateError('service_busy', detail, { retryAfter: 5 });
    }
    const whose = bound === 'caller' ? 'You have' : 'This organization has';
    const detail = `${whose} ${BOUNDS[bound]} exports in progress already.`;
    return new TollgateError('too_many_exports', detail, { retryAfter: 5 });
  });
}
