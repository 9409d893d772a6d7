import { recordAudit } from '../audit/audit-store';
import { announceCall } from '../announcements/announcement-store';
import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { factOfCheckout } from '../domain/announced-facts';
import type { Instant } from '../domain/instant';
import type { Money } from '../domain/money';
import { displayMoney, displayPlan } from '../domain/display-text';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { SOURCES } from '../subscriptions/record-command-effect';
import { eventDataOf } from '../subscriptions/billed-subscription';
import { toTime } from '../schemas/instant';
import { toMoney } from '../schemas/money';
import { recordSubscriptionEvent, timesOf } from '../subscriptions/subscription-history-store';
import type { TransactionRow } from '../subscriptions/transaction-store';
import type { Actor } from '../tenancy/actor';
import type { Provider } from '../domain/provider';

interface Offered {
  checkoutId: string;
  customerId: string;
  externalId: string;
  provider: Provider;
  /** The amount due; null if nothing is due yet. */
  due: Money | null;
  expiresAt: Instant;
}

/** A plan that was offered to a customer. */
interface PlanOffered extends Offered {
  subscriptionId: string;
  planId: string;
  planSlug: string;
  seats: number;
  status: string;
  /** Whether nothing was due. */
  isComplete?: boolean;
  /** Null if a trial comes first, or if a provider collects. */
  transaction: TransactionRow | null;
}

/** Records that a plan was offered: the subscription's history, the event and the audit record. */
export async function recordPlanOffered(
  trx: DbTransaction,
  actor: Actor,
  offered: PlanOffered,
): Promise<void> {
  const { checkoutId, subscriptionId, externalId, transaction, provider } = offered;
  const data = {
    checkoutId,
    provider,
    ...eventDataOf(offered),
    expiresAt: toTime(offered.expiresAt),
    ...(transaction === null
      ? {}
      : { transactionId: transaction.id, total: toMoney(transaction.total, transaction.currency) }),
  };
  const entry = {
    subscriptionId,
    kind: 'checkout_created',
    type: 'CHECKOUT_CREATED',
    status: 'OK',
    message: `${externalId} was offered ${displayPlan(offered)} ${inWords(offered)}.`,
    source: SOURCES[actor.reason],
    data,
  } as const;
  await recordSubscriptionEvent(trx, actor.scope, entry, timesOf(actor));
  if (offered.isComplete === true) {
    const fact = { ...factOfCheckout(checkoutId, 'complete'), happenedAt: actor.now };
    await together(trx, [announceCall(actor.scope, [fact], actor.receivedAt)]);
  }
  await audit(trx, actor, checkoutId, { ...data, subscriptionId });
}

/** Records that a customer was asked for an amount: the event and the audit record. */
export async function recordPaymentOffered(
  trx: DbTransaction,
  actor: Actor,
  offered: Offered & { due: Money; description: string },
): Promise<void> {
  const { checkoutId, externalId, customerId, due, description, provider, expiresAt } = offered;
  const data = {
    checkoutId,
    provider,
    customerId,
    externalId,
    amount: toMoney(due.amount, due.currency),
    description,
    expiresAt: toTime(expiresAt),
  };
  const event = {
    type: 'CHECKOUT_CREATED',
    status: 'OK',
    message: `${externalId} was asked for ${description} ${inWords(offered)}.`,
    source: SOURCES[actor.reason],
    data,
  } as const;
  await recordDeveloperEvent(trx, actor.scope, event, actor.receivedAt);
  await audit(trx, actor, checkoutId, data);
}

function inWords({ due, expiresAt }: Pick<Offered, 'due' | 'expiresAt'>): string {
  if (due === null) return 'with nothing to pay yet';
  return `for ${displayMoney(due)}, payable until ${toTime(expiresAt)}`;
}

async function audit(
  trx: DbTransaction,
  actor: Actor,
  target: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(trx, actor, { action: 'checkout.created', target, detail });
}
