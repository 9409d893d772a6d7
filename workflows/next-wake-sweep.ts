import { patched, proxyActivities } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';
import type { SweepActivities } from './activity-types';
import { MINUTE_MS } from '../src/domain/instant';

/** A wake this late has been lost; one less late is still on its way. */
const LATE_MS = 5 * MINUTE_MS;

const { pokeOverdueSubscriptions, pokeOverdueCheckouts, pokeOverdueRefunds, pokeOverdueErasures } =
  proxyActivities<SweepActivities>({
    startToCloseTimeout: '20m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '5s', maximumInterval: '1m', maximumAttempts: 10 },
  });

/**
 * Signals every workflow that should have woken and has not; a safety net, run by a schedule. A missing workflow is
 * started again from its row.
 *
 * @param environment both if an earlier version's schedule started it
 * @returns how many workflows were signalled
 */
export async function nextWakeSweep(environment?: Environment): Promise<number> {
  const before = Date.now() - LATE_MS;
  const subscriptions = await pokeOverdueSubscriptions(before, environment);
  const checkouts = await pokeOverdueCheckouts(before, environment);
  const refunds = await pokeOverdueRefunds(before, environment);
  // Patched, because an earlier version's history ends here.
  const erasures = patched('2026-11-erasures-swept') ? await pokeOverdueErasures(before, environment) : 0;
  return subscriptions + checkouts + refunds + erasures;
}
