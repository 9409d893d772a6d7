import { setTimeout as pause } from 'node:timers/promises';
import { grpcCodeOf, isTemporalBusy, isTemporalUnavailable, NOT_FOUND } from './grpc-errors';

const SETTLING_MS = 30_000;
const PAUSE_MS = 250;

/**
 * Repeats work that fails because a namespace was just created or a schedule just changed: for some seconds Temporal
 * then answers that it does not exist, or does not answer.
 *
 * @throws the work's error, after half a minute or if another call would get the same answer
 */
export async function onceSettled<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const begun = performance.now(); ;) {
    try {
      return await work();
    } catch (error) {
      const passes = grpcCodeOf(error) === NOT_FOUND || isTemporalUnavailable(error) || isTemporalBusy(error);
      if (!passes || performance.now() - begun > SETTLING_MS) throw error;
    }
    await pause(PAUSE_MS);
  }
}
