import { heartbeat } from '@temporalio/activity';

/** Well within the time after which a worker that says nothing counts as dead. */
const BEAT_MS = 4_000;

/** Says that the worker lives, for as long as the work takes. */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const beat = setInterval(heartbeat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
