import type { PlanPriceResource } from '../catalog/plan-price-resource';
import { repairSchema, type DriftResource } from './drift-resource';
import type { SubmitResult } from '../operations/submit-result';

/** Formats the differences, and what could not be compared, for a terminal. */
export function driftInWords({ subscriptionId, differences, unverifiable, notes }: DriftResource): string[] {
  const unread = unverifiable.filter(({ code }) => code !== 'not_exposed').map(({ reason }) => reason);
  const lines = [...[...differences, ...notes].map(({ words }) => words), ...new Set(unread)];
  return lines.map((line) => `${subscriptionId}  ${line}`);
}

/** Formats the plans whose price differs or could not be compared, for a terminal. */
export function planPricesInWords(prices: readonly PlanPriceResource[]): string[] {
  return prices
    .filter(({ result }) => result !== 'equal')
    .map(({ plan, planReference, words }) => `${plan.slug} (${planReference})  ${words ?? ''}`);
}

const answer = repairSchema.pick({ changes: true, inSync: true });

/** Formats the result of a repair, for a terminal. */
export function repairInWords(submitted: SubmitResult): { line: string; inSync: boolean } {
  if (submitted.kind === 'pending') {
    return { line: `  under way: ${submitted.operation.id}`, inSync: false };
  }
  const { changes, inSync } = answer.parse(JSON.parse(submitted.answer.body));
  const changed = changes.map(({ field, from, to }) => `${field} ${String(from)} → ${String(to)}`);
  const what = changed.length === 0 ? 'nothing was changed' : changed.join(', ');
  return { line: `  repaired: ${what}`, inSync: inSync === true };
}
