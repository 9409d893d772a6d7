import type { Instant } from '../src/domain/instant';
import { expiresAt } from '../src/domain/lifecycle';
import { displayDay, displayPlan } from '../src/domain/display-text';
import { endsWithPeriod, periodOverAt } from '../src/domain/pending-cancellation';
import { displayScheduledChange } from '../src/domain/display-scheduled-change';
import type { SubscriptionView } from './activity-types';

/**
 * Describes a subscription's state for operators in Temporal: "Active on pro × 5, renews 31 Dec 2026, then downgrade to
 * starter × 3". Days are in its time zone; the customer is not named.
 */
export function describe(view: SubscriptionView): string {
  const plan = displayPlan(view);
  const day = (instant: Instant): string => displayDay(view.timeZone, instant);
  switch (view.status) {
    case 'incomplete':
      return view.incompleteUntil === null
        ? `Not paid yet: ${plan}`
        : `Not paid yet: ${plan}, expires ${day(view.incompleteUntil)}`;
    case 'trialing':
      if (endsWithPeriod(view)) return join(`In trial on ${plan}`, `ends ${day(periodOverAt(view))}`);
      return join(
        `In trial on ${plan}`,
        `first paid period from ${day(view.trialEnd ?? view.currentPeriodEnd)}`,
        change(view),
      );
    case 'active':
      return join(
        `Active on ${plan}`,
        view.paymentDueAt !== null && `payment due ${day(view.paymentDueAt)}`,
        `${endsWithPeriod(view) ? 'ends' : 'renews'} ${day(periodOverAt(view))}`,
        change(view),
      );
    case 'past_due': {
      const { pastDueSince, currentPeriodEnd } = view;
      const expiry = expiresAt(view);
      // A period that would begin at or after the expiry never begins.
      const renews = !endsWithPeriod(view) && (expiry === null || currentPeriodEnd < expiry);
      return join(
        `Past due on ${plan}${pastDueSince === null ? '' : ` since ${day(pastDueSince)}`}`,
        renews && `renews ${day(currentPeriodEnd)}`,
        renews && change(view),
        endsWithPeriod(view) && `ends ${day(periodOverAt(view))}`,
        expiry !== null && `expires ${day(expiry)}`,
      );
    }
    case 'cancelled':
      return `Cancelled on ${plan}`;
    case 'expired':
      return `Expired on ${plan}`;
  }
}

function join(...parts: (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ');
}

function change(view: SubscriptionView): string | false {
  const words = displayScheduledChange(view);
  return words === null ? false : `then ${words}`;
}
