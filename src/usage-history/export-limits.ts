import { createSlots, type Slots } from '../rate-limits/slots';

/** A part of the largest uses takes several megabytes of memory, and tens of milliseconds to read and to write. */
const BOUNDS = { process: 40, workspace: 10, caller: 5 };

/** Creates the slots for exports in progress. */
export function createExportLimits(): Slots {
  return createSlots(BOUNDS, {
    code: 'too_many_exports',
    taken: 'exports in progress',
    what: 'exports',
    retryAfter: 5,
  });
}
