import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from './instant';
import type { LifecycleView } from './lifecycle-view';
import { periodOverAt } from './pending-cancellation';
import type { FactsOccasion } from './provider-facts';
import { isReadEarly } from './provider-lifecycle';
import { pollAgainAfter, type ProviderWork } from './provider-work';

/** The invoice of a period that has begun, at a provider that charges it some time after the period's beginning. */
export interface RenewalInvoice {
  reference: string;
  /** Whether the provider is still to charge it, or the outcome of the charge is not known yet. */
  isOutstanding: boolean;
  /** When it will be charged, or is due if its customer is to pay it; null if the provider does not say. */
  chargedAt: Instant | null;
}

/** How long after the beginning of a period it is charged if the provider does not say. */
const CHARGED_AFTER_MS = HOUR_MS;
/** Time for the charge itself. */
const UNTIL_READ_MS = 10 * MINUTE_MS;
/** For how long an outstanding charge is read. Then it is left to the webhooks and to the daily comparison. */
const READ_FOR_MS = 7 * DAY_MS;

/**
 * Plans the read of a charge that follows its period's beginning, in case its webhook does not arrive: after its
 * planned time, and then at growing intervals while it is outstanding. The end of the period is read in any case. Other
 * facts leave a planned read as it is, because they do not include the payment.
 *
 * @param occasion `reportedInvoice`: its outcome is recorded together with these facts, so its read is dropped
 */
export function withReadOfCharge<V extends LifecycleView & { work: ProviderWork }>(
  view: V,
  invoice: RenewalInvoice | undefined,
  { now, reportedInvoice }: Pick<FactsOccasion, 'now' | 'reportedInvoice'>,
): V {
  if (invoice === undefined) return view;
  const { lookAgainAt, looks } = view.work;
  if (!invoice.isOutstanding) {
    const isKnown = reportedInvoice === invoice.reference && isReadEarly(view);
    return isKnown ? { ...view, work: { ...view.work, lookAgainAt: null, looks: 0 } } : view;
  }
  // While it is past due, it is read for its payment anyway.
  if (view.status !== 'active' || now >= periodOverAt(view)) return view;
  if (lookAgainAt !== null && lookAgainAt > now) return view;
  const chargedAt = invoice.chargedAt ?? view.currentPeriodStart + CHARGED_AFTER_MS;
  const planned = chargedAt + UNTIL_READ_MS;
  const isLate = planned <= now;
  if (isLate && now >= chargedAt + READ_FOR_MS) return view;
  const at = isLate ? pollAgainAfter(looks, now) : planned;
  if (at >= periodOverAt(view)) return view;
  return { ...view, work: { ...view.work, lookAgainAt: at, looks: isLate ? looks + 1 : looks } };
}
