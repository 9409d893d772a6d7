import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { PlanPriceResource } from '../catalog/plan-price-resource';
import { lockPriceFindings, writePriceFindings } from './price-finding-store';

/**
 * Records a developer event, once, for each plan whose price has started or stopped differing from the provider's. A
 * price that cannot be compared changes nothing.
 *
 * @param compared plans of one connection, each once
 * @param mapped ids of all plans with a reference there; findings of other plans are removed. Omitted if unknown
 * @param now real time
 */
export async function reportPriceDifferences(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string,
  { compared, mapped }: { compared: readonly PlanPriceResource[]; mapped?: readonly string[] },
  now: Instant,
): Promise<void> {
  const before = await lockPriceFindings(trx, scope, connectionId);
  if (before === undefined) return;
  const found = new Map(Object.entries(before));
  if (mapped !== undefined) {
    const named = new Set(mapped);
    for (const planId of found.keys()) if (!named.has(planId)) found.delete(planId);
  }
  for (const price of compared) {
    const { plan, result } = price;
    if (result === 'unverifiable') continue;
    const [was, is] = [found.get(plan.id), result === 'differs' ? findingOf(price) : undefined];
    if (was === is) continue;
    await recordDeveloperEvent(trx, scope, eventOf(price), now);
    if (is === undefined) found.delete(plan.id);
    else found.set(plan.id, is);
  }
  const after = Object.fromEntries(found);
  if (!isSame(before, after)) await writePriceFindings(trx, scope, connectionId, after);
}

function findingOf({ planReference, fields, local, provider }: PlanPriceResource): string {
  return JSON.stringify([planReference, fields, local, provider]);
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...ids].every((id) => one[id] === other[id]);
}

function eventOf({
  connectionId,
  plan,
  planReference,
  result,
  fields,
  local,
  provider,
  words,
}: PlanPriceResource) {
  const differs = result === 'differs';
  const message = differs
    ? `The plan ${plan.slug} has a different price at the connection ${connectionId} and is not sold there. ${words ?? ''}`
    : `The price of the plan ${plan.slug} matches the connection ${connectionId} again.`;
  const change = differs ? 'plan_price_differs' : 'plan_price_agrees';
  return {
    type: 'PLAN_PRICE_COMPARED',
    status: differs ? 'ERROR' : 'OK',
    message,
    source: 'plan_prices',
    data: { change, connectionId, planId: plan.id, plan: plan.slug, planReference, fields, local, provider },
  } as const;
}
