import { hasEnded } from './subscription-types';
import { driftOfBilling } from './drift-billing';
import { driftOfTerms } from './drift-terms';
import { withLastPeriod } from './end-of-charged-period';
import {
  DRIFT_FIELDS,
  type Difference,
  type Drift,
  type DriftNote,
  type DriftReading,
  type DriftView,
  type Finding,
  type Unverifiable,
} from './drift-types';
import type { Instant } from './instant';
import { isFirstPaymentDue, isSameInstant } from './provider-facts';
import type { BilledFacts } from './reconciled-view';
import { endsAt, periodOverAt } from './pending-cancellation';
import { isTurning, termsAtProvider, type PlansAtProvider } from './terms-at-provider';

export * from './drift-types';

interface Comparison {
  local: DriftView;
  facts: BilledFacts;
  plans: PlansAtProvider;
  now: Instant;
}

/**
 * Compares a subscription with its provider's state. The following is not drift: a change that is prepared, confirmed
 * or requested and waits for its boundary; a period that is just turning; provider B ending at once what A and C let
 * run out.
 *
 * @param now the workspace's time
 */
export function driftOf(
  local: DriftView,
  reading: DriftReading,
  plans: PlansAtProvider,
  now: Instant,
): Drift {
  if (local.provider === 'internal')
    return incomparable('local', 'Local billing has no payment provider, so there is nothing to compare.');
  if (local.status === 'incomplete')
    return incomparable('under_way', 'The first payment is open, and its checkout is polled automatically.');
  if (local.work.unsettled !== null)
    return incomparable('under_way', 'The payment provider has not confirmed a request yet.');
  if (reading.kind === 'unread') return incomparable('not_read', reading.reason);
  if (reading.kind === 'missing') return concluded(hasEnded(local.status) ? [] : [missing(local)]);
  const facts = withLastPeriod(local, reading.facts, now);
  const comparison = { local, facts, plans, now };
  if (hasEnded(local.status)) return concluded(hasEndedThere(facts) ? [] : [statusDiffers(comparison)]);
  const status = isSameStatus(comparison) ? [] : [statusDiffers(comparison)];
  if (hasEnded(facts.status)) return concluded(status);
  const { billing = {} } = reading;
  const { findings, notes } = driftOfBilling(local, facts, billing, plans, now);
  // The reference of an older price identifies the plan, too.
  const named =
    notes.length > 0 ? { ...facts, planReference: termsAtProvider(local, plans)[0].planReference } : facts;
  return concluded(
    [
      ...status,
      ...driftOfTerms(local, named, plans),
      ...renewal(comparison),
      ...period(comparison),
      ...findings,
    ],
    notes,
  );
}

/**
 * Adds a missing payment to the result, for a subscription whose current period has begun at the provider without a
 * charge that was paid or free: either money is missing, or the charge is not attributed to this subscription there.
 */
export function withMissingPayment(
  { differences, unverifiable, notes }: Drift,
  { currentPeriodStart }: { currentPeriodStart: Instant },
): Drift {
  const since = new Date(currentPeriodStart).toISOString();
  const words = `The payment provider’s period began at ${since}, and no payment for it is recorded.`;
  const missing = { field: 'payment', local: 'none', provider: since, words } as const;
  return concluded([...differences, missing, ...unverifiable], notes);
}

function concluded(findings: readonly Finding[], notes: DriftNote[] = []): Drift {
  const differences = findings.filter((finding) => 'words' in finding);
  const unverifiable = findings.filter((finding) => 'reason' in finding);
  const compared = unverifiable.every(({ code }) => code === 'not_exposed');
  return { inSync: differences.length > 0 ? false : compared || null, differences, unverifiable, notes };
}

function incomparable(code: Unverifiable['code'], reason: string): Drift {
  const compared = DRIFT_FIELDS.filter((field) => field !== 'payment');
  return concluded(compared.map((field) => ({ field, code, reason })));
}

/**
 * A subscription that ends with its period there charges nothing more, and one that was never paid has charged nothing.
 */
function hasEndedThere({ status, cancelAtPeriodEnd }: BilledFacts): boolean {
  return hasEnded(status) || status === 'incomplete' || cancelAtPeriodEnd;
}

function missing({ status }: DriftView): Difference {
  const words = `It is ${status} here; the payment provider does not have it.`;
  return { field: 'existence', local: status, provider: 'missing', words };
}

/** Around a boundary the provider charges, ends or renews, and reports it within minutes. */
function isSameStatus({ local, facts, now }: Comparison): boolean {
  const trialOver = local.status === 'trialing' && local.trialEnd !== null && local.trialEnd <= now;
  const status = trialOver ? 'active' : local.status;
  if (status === facts.status) return true;
  return isTurning(periodOverAt(local), now) && (!hasEnded(facts.status) || local.cancelAtPeriodEnd);
}

function statusDiffers({ local: { status }, facts }: Comparison): Difference {
  const words = `It is ${status} here and ${facts.status} at the payment provider.`;
  return { field: 'status', local: status, provider: facts.status, words };
}

/** Provider B does not report an end of the period that is still to come. */
function renewal({ local, facts }: Comparison): Finding[] {
  const { cancelAtPeriodEnd: here } = local;
  const { cancelAtPeriodEnd: there } = facts;
  if (local.provider === 'provider_b') return [];
  if (here === there) return end(local, facts);
  const says = (ends: boolean): string => (ends ? 'ends with its period' : 'renews');
  const words = `It ${says(here)} here and ${says(there)} at the payment provider.`;
  return [{ field: 'cancelAtPeriodEnd', local: here, provider: there, words }];
}

/** Compares an end at a specific instant, before or after the period's end. Only if a provider names one. */
function end(local: DriftView, facts: BilledFacts): Finding[] {
  if ((local.cancelAt ?? facts.cancelAt ?? null) === null) return [];
  const [here, there] = [endsAt(local), endsAt(facts)];
  if (isSameInstant(here, there)) return [];
  const says = (at: Instant | null): string =>
    at === null ? 'renews without an end' : `ends at ${new Date(at).toISOString()}`;
  const words = `It ${says(here)} here and ${says(there)} at the payment provider.`;
  const shown = (at: Instant | null): string => (at === null ? 'never' : new Date(at).toISOString());
  return [{ field: 'cancelAt', local: shown(here), provider: shown(there), words }];
}

/** If provider B's first payment failed, it is still due there: B has begun no period, and the local period applies. */
function period({ local, facts, now }: Comparison): Finding[] {
  const { currentPeriodEnd: here } = local;
  const { beganAt, currentPeriodEnd: there } = facts;
  if (there === null || (beganAt !== undefined && isFirstPaymentDue(beganAt, there))) {
    const reason = 'The payment provider does not report when the period ends.';
    return [{ field: 'currentPeriodEnd', code: 'not_exposed', reason }];
  }
  if (isSameInstant(here, there) || isTurning(here, now)) return [];
  const [hereIso, thereIso] = [new Date(here).toISOString(), new Date(there).toISOString()];
  const words = `The period ends at ${hereIso} here and at ${thereIso} at the payment provider.`;
  return [{ field: 'currentPeriodEnd', local: hereIso, provider: thereIso, words }];
}
