import { z } from 'zod';
import { capabilitiesOf } from '../domain/capabilities';
import { DRIFT_FIELDS } from '../domain/drift';
import { REPAIR_TAKES } from '../domain/drift-repair';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { BilledSubscription } from '../subscriptions/billed-subscription';

const value = z.union([z.string(), z.number(), z.boolean()]);

/** A repair as stored when it was accepted: which side is right, and the differences at that time. */
export const repairCommand = z.object({
  take: z.enum(REPAIR_TAKES),
  found: z.array(z.object({ field: z.enum(DRIFT_FIELDS), local: value, provider: value })),
  /** The provider does not have the subscription, so it is to end here. */
  endsMissing: z.boolean(),
});

export type RepairCommand = z.output<typeof repairCommand>;

/** Returns the refusal of a repair that may be possible later. */
export function cannotRepair(
  subscription: BilledSubscription,
  now: Instant,
  reason: string,
  reasonCode: string,
): TollgateError {
  const capability = { name: 'planChange', ...capabilitiesOf(subscription, now).planChange };
  return new TollgateError('capability_unavailable', reason, {
    extra: { capability: { ...capability, available: false, reason, reasonCode } },
  });
}

/** Returns the refusal if no payment provider bills the subscription. */
export function nothingToCompare(): TollgateError {
  const reason = 'Local billing has no payment provider, so there is nothing to repair.';
  const capability = { name: 'repair', supported: false, available: false, timing: null };
  return new TollgateError('capability_unsupported', reason, {
    extra: { capability: { ...capability, reason, reasonCode: 'no_provider' } },
  });
}
