import { planInWords } from '../../domain/plain-words';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { recordHappening, type SubscriptionHappening } from '../../subscriptions/subscription-history-store';
import type { Reconciliation } from './reconciliation';

type Told = Pick<SubscriptionHappening, 'kind' | 'type' | 'status' | 'message'>;

/** Writes what the provider's facts have made of a subscription into its history and the developer events. */
export async function recordSubscriptionHappening(
  { trx, connection, now, recordedAt }: Reconciliation,
  before: BilledSubscription,
  after: BilledSubscription,
  data: Readonly<Record<string, unknown>> & { openSubscriptionId?: string },
): Promise<void> {
  const { customerId, externalId, planId, planSlug: plan, seats, status } = after;
  await recordHappening(
    trx,
    connection.scope,
    {
      subscriptionId: after.id,
      ...toldOf(before, after, data.openSubscriptionId ?? null),
      source: 'billing',
      data: {
        provider: connection.provider,
        connectionId: connection.id,
        customerId,
        externalId,
        planId,
        plan,
        seats,
        status,
        currentPeriodEnd: new Date(after.currentPeriodEnd).toISOString(),
        cancelAtPeriodEnd: after.cancelAtPeriodEnd,
        ...data,
      },
    },
    { happenedAt: now, recordedAt },
  );
}

function toldOf(before: BilledSubscription, after: BilledSubscription, openId: string | null): Told {
  const who = `${after.externalId}'s ${planInWords(after)}`;
  const changed = (kind: string, message: string): Told => ({
    kind,
    type: 'SUBSCRIPTION_CHANGED',
    status: 'OK',
    message,
  });
  if (before.status === 'incomplete') return toldOfStart(after, who, openId);
  if (before.status !== after.status) {
    switch (after.status) {
      case 'cancelled':
        return changed('cancelled', `${who} was cancelled at the payment provider.`);
      case 'expired':
        return changed('expired', `${who} ended unpaid at the payment provider.`);
      case 'past_due':
        return changed('became_past_due', `The payment provider could not collect the payment for ${who}.`);
      case 'active':
        if (before.status === 'past_due') return changed('recovered', `${who} is active again: it is paid.`);
        return changed('trial_ended', `The trial of ${who} ended.`);
      default:
        return changed('provider_changed', `${who} is ${after.status} at the payment provider.`);
    }
  }
  if (before.currentPeriodEnd < after.currentPeriodEnd) {
    const end = new Date(after.currentPeriodEnd).toISOString();
    return changed('period_turned', `The payment provider renewed ${who}; the period lasts until ${end}.`);
  }
  if (before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd) {
    return after.cancelAtPeriodEnd
      ? changed('cancel_scheduled', `${who} does not renew any more.`)
      : changed('reactivated', `${who} renews again.`);
  }
  return changed('provider_changed', `The payment provider moved the period of ${who}.`);
}

function toldOfStart(after: BilledSubscription, who: string, openId: string | null): Told {
  const created = { type: 'SUBSCRIPTION_CREATED' } as const;
  if (openId !== null) {
    const message = `${who} is paid at the payment provider and was not started: ${openId} of its plan group is open.`;
    return { ...created, kind: 'activation_refused', status: 'ERROR', message };
  }
  if (after.status === 'cancelled' || after.status === 'expired') {
    const message = `${who} ended at the payment provider before it was paid.`;
    return { kind: 'checkout_expired', type: 'SUBSCRIPTION_CHANGED', status: 'OK', message };
  }
  return {
    ...created,
    kind: 'activated',
    status: 'OK',
    message: `${who} begins: the payment provider has its payment.`,
  };
}
