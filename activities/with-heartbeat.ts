import { heartbeat } from '@temporalio/activity';

/** Well below the heartbeat time-out. */
const BEAT_MS = 4_000;

/** Sends heartbeats for as long as the work takes. */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const beat = setInterval(heartbeat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
