import type { Logger } from 'pino';
import type { Instant } from '../domain/instant';

/** Advances another clock to a sandbox's new time. */
export type ClockFollower = (now: Instant) => Promise<void>;

/** Advancing the simulators takes time: they issue invoices, take payments and send webhooks up to the new instant. */
const TIMEOUT_MS = 20_000;

/**
 * Creates the follower that advances the simulated providers' clock with the sandbox's, so that both sides renew and
 * invoice at the same time. If a simulator fails or does not answer, that is logged, and the sandbox's advance still
 * succeeds.
 *
 * @param controlUrl base URL of the simulators' control API
 */
export function createSimulatorsClock(controlUrl: string, log: Logger): ClockFollower {
  return async (now) => {
    try {
      const answer = await fetch(`${controlUrl}/clock`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ to: now }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok)
        log.warn({ status: answer.status }, 'the simulators did not follow the sandbox’s clock');
    } catch (error) {
      log.warn({ err: error }, 'the simulators did not follow the sandbox’s clock');
    }
  };
}
