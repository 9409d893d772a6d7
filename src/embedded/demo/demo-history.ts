import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { decimalFromNumber } from '../../domain/decimal';
import { DAY_MS, type Instant } from '../../domain/instant';
import { newIdentifier } from '../../identifiers/identifier';
import type { WorkspaceScope } from '../../tenancy/actor';
import { processBatch } from '../../usage/usage-batch';
import type { UsageCall } from '../../usage/usage-call';
import { DEMO_CUSTOMERS, type DemoCustomer } from './demo-customers';

export const HISTORY_DAYS = 30;
const STEP_MS = DAY_MS / 8;

/**
 * Creates thirty days of checks and tracks, at their simulated instants, with the same code that decides and records
 * real ones. The numbers are drawn from a fixed seed.
 */
export async function makeDemoHistory(pool: Pool, scope: WorkspaceScope, now: Instant): Promise<void> {
  const draw = seededDraw(20);
  for (let at = now - HISTORY_DAYS * DAY_MS; at < now; at += STEP_MS) {
    const calls = DEMO_CUSTOMERS.filter((customer) => usesAt(customer, at, now)).flatMap((customer) =>
      callsOf(customer, at, draw),
    );
    if (calls.length === 0) continue;
    await processBatch(pool, { now: () => at }, scope, calls, {
      waitForKey: false,
      waitForCustomers: true,
      lockTimeoutMs: 2_000,
    });
  }
}

function usesAt(customer: DemoCustomer, at: Instant, now: Instant): boolean {
  const ended = customer.ends === undefined ? now : now - customer.ends.daysAgo * DAY_MS;
  return at > now - customer.since * DAY_MS && at < ended;
}

function callsOf(customer: DemoCustomer, at: Instant, draw: () => number): UsageCall[] {
  // People work during the day, so there are fewer calls at night.
  const busy = [0.3, 0.1, 0.3, 1, 1, 1, 0.8, 0.5][Math.floor((at % DAY_MS) / STEP_MS)] ?? 1;
  return customer.calls.flatMap(({ feature, times, most }) =>
    Array.from({ length: times }).flatMap((_, turn) => {
      if (draw() > busy) return [];
      const call = {
        externalId: customer.externalId,
        feature,
        quantity: decimalFromNumber(1 + Math.floor(draw() * most)),
        source: draw() < 0.8 ? 'api' : 'nightly-batch',
        entity: null,
        timestamp: null,
        properties: null,
        reserve: null,
        reservationId: null,
        requestId: newIdentifier('request'),
      };
      const key = `demo-${customer.externalId}-${feature}-${at}-${turn}`;
      const claim = { key, fingerprint: createHash('sha256').update(key).digest() };
      const track: UsageCall = { ...call, operation: 'track', claim };
      const check: UsageCall = { ...call, operation: 'check', source: 'api', claim: null };
      return draw() < 0.4 ? [check, track] : [track];
    }),
  );
}

/**
 * Returns a generator of numbers in [0, 1) from a seed (linear congruential), so that the demo is the same on each
 * machine.
 */
function seededDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
