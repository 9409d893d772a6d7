import { recordAudit } from '../../audit/audit-store';
import type { DbTransaction } from '../../db/pools';
import type { BilledSubscription } from '../billed-subscription';
import { recordSubscriptionEvent } from '../subscription-history-store';
import type { OperationContext } from './operation-handler';

/** What a command has done to a subscription. */
export interface Act {
  /** In the past tense: `downgrade_scheduled`. */
  kind: string;
  /** A sentence for people. */
  message: string;
  /** Ids, names, amounts as text. */
  data?: Readonly<Record<string, unknown>>;
}

/** Where an act comes from, as histories and developer events name it. */
export const SOURCES = { API_KEY: 'api', OPERATOR: 'console', SYSTEM: 'billing' } as const;

/** Writes the act into the subscription's history, the developer events and the audit. */
export async function recordAct(
  trx: DbTransaction,
  { actor, operation, now, recordedAt }: OperationContext,
  after: BilledSubscription,
  act: Act,
): Promise<void> {
  const data = {
    operationId: operation.id,
    customerId: after.customerId,
    externalId: after.externalId,
    planId: after.planId,
    plan: after.planSlug,
    seats: after.seats,
    status: after.status,
    ...act.data,
  };
  const entry = {
    subscriptionId: after.id,
    kind: act.kind,
    type: 'SUBSCRIPTION_CHANGED',
    status: 'OK',
    message: act.message,
    source: SOURCES[actor.reason],
    data,
  } as const;
  await recordSubscriptionEvent(trx, actor.scope, entry, { happenedAt: now, recordedAt });
  await recordAudit(trx, actor, { action: `subscription.${act.kind}`, target: after.id, detail: data });
}
