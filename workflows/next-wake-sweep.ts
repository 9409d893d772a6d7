import { patched, proxyActivities } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';
import type { SweepActivities } from './activity-types';

/** A wake that is this late has been lost; one that is less late is on its way. */
const LATE_MS = 5 * 60_000;

const { pokeOverdueSubscriptions, pokeOverdueCheckouts, pokeOverdueRefunds, pokeOverdueErasures } =
  proxyActivities<SweepActivities>({
    startToCloseTimeout: '20m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '5s', maximumInterval: '1m', maximumAttempts: 10 },
  });

/**
 * The safety net, run by a schedule: signals every workflow that should have woken and has not; one that is gone
 * is started again from its row.
 *
 * @param environment whose; both, where an earlier version's schedule has begun it
 * @returns how many were signalled
 */
export async function nextWakeSweep(environment?: Environment): Promise<number> {
  const before = Date.now() - LATE_MS;
  const subscriptions = await pokeOverdueSubscriptions(before, environment);
  const checkouts = await pokeOverdueCheckouts(before, environment);
  const refunds = await pokeOverdueRefunds(before, environment);
  // A history of before ends here.
  const erasures = patched('2026-11-erasures-swept') ? await pokeOverdueErasures(before, environment) : 0;
  return subscriptions + checkouts + refunds + erasures;
}
