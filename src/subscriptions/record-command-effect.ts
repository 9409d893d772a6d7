import { auditCall } from '../audit/audit-store';
import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { ChangeKind } from '../domain/announced-facts';
import { eventDataOf, type BilledSubscription } from './billed-subscription';
import { subscriptionEventCalls } from './subscription-history-store';
import type { OperationContext } from './operation-handler';

/** The effect of a command on a subscription. */
export interface CommandEffect {
  /** In the past tense: `downgrade_scheduled`. */
  kind: ChangeKind;
  /** A sentence for people. */
  message: string;
  /** Ids, names, amounts as text. */
  data?: Readonly<Record<string, unknown>>;
  /** The kind reported to integrators, if it differs from `kind`. */
  announcedAs?: ChangeKind;
}

/** The `source` of history entries and developer events, by the actor's reason. */
export const SOURCES = {
  API_KEY: 'api',
  OPERATOR: 'console',
  CUSTOMER: 'portal',
  SYSTEM: 'billing',
} as const;

/** Records the effect in the subscription's history, the developer events and the audit. */
export async function recordCommandEffect(
  trx: DbTransaction,
  context: OperationContext,
  after: BilledSubscription,
  effect: CommandEffect,
): Promise<void> {
  await together(trx, commandEffectCalls(context, after, effect));
}

/** Builds the calls of `recordCommandEffect`. */
export function commandEffectCalls(
  { actor, operation, now, recordedAt }: OperationContext,
  after: BilledSubscription,
  effect: CommandEffect,
): Call<void>[] {
  const data = {
    operationId: operation.id,
    ...eventDataOf(after),
    ...effect.data,
  };
  const entry = {
    subscriptionId: after.id,
    kind: effect.kind,
    type: 'SUBSCRIPTION_CHANGED',
    status: 'OK',
    message: effect.message,
    source: SOURCES[actor.reason],
    data,
    ...(effect.announcedAs !== undefined && { announcedAs: effect.announcedAs }),
  } as const;
  return [
    ...subscriptionEventCalls(actor.scope, entry, { happenedAt: now, recordedAt }),
    auditCall(actor, { action: `subscription.${effect.kind}`, target: after.id, detail: data }),
  ];
}
