import type { Logger } from 'pino';
import type { Instant } from '../domain/instant';

/** Tells whoever keeps time beside a sandbox that it has moved. */
export type ClockFollower = (now: Instant) => Promise<void>;

/** The simulated providers have much to do on the way: invoices, payments, webhooks. */
const PATIENCE_MS = 20_000;

/**
 * Moves the simulated providers' clock with the sandbox's, so that renewals and invoices come here and there alike.
 * The simulators are no part of the service: where they do not answer, the sandbox has moved all the same.
 *
 * @param controlUrl the simulators' control
 */
export function createSimulatorsClock(controlUrl: string, log: Logger): ClockFollower {
  return async (now) => {
    try {
      const answer = await fetch(`${controlUrl}/clock`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ to: now }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok)
        log.warn({ status: answer.status }, 'the simulators did not follow the sandbox’s clock');
    } catch (error) {
      log.warn({ err: error }, 'the simulators did not follow the sandbox’s clock');
    }
  };
}
