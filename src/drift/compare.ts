import type { Clock } from '../clock/system-clock';
import { findConnection } from '../connections/connection-store';
import { connectOrRefuse, type ConnectedOrRefused } from '../connections/connected-providers';
import type { ConnectionOpening } from '../connections/open-connection';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { driftOf, type DriftReading } from '../domain/drift';
import type { Instant } from '../domain/instant';
import { NO_PLANS, type PlansAtProvider } from '../domain/terms-at-provider';
import { refusesCredentials } from '../providers/refused-credentials';
import { readPayments } from '../subscriptions/at-provider/read-payments';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { reconciler } from '../webhooks/webhook-reconciler';
import type { Compared } from './drift-resource';
import { plansAtConnection } from './plans-at-connection';
import { withUnpaidPeriod } from './with-unpaid-period';
import type { ProviderAdapters } from '../providers/provider-adapter';
import { subscriptionNotFound } from '../operations/subscription-not-found';

/** The dependencies for reading subscriptions at their providers. */
export interface Comparing extends ConnectionOpening {
  database: Database;
  clock: Clock;
  providerAdapters: ProviderAdapters;
}

/** A subscription, the plans by their references at its provider, and the provider's reading. */
export interface Comparison extends Compared {
  reading: DriftReading;
}

type Who = Pick<Actor, 'scope' | 'reason'>;

/**
 * Reads a subscription at its provider and compares the two. No database connection is held during the call. Neither
 * side is changed, but charges made since are recorded as their webhooks would.
 *
 * @param now the workspace's time
 * @param silence why the provider is not asked: it has just not answered for other subscriptions
 * @throws TollgateError subscription_not_found
 */
export async function compare(
  comparing: Comparing,
  { scope, reason }: Who,
  subscriptionId: string,
  now: Instant,
  silence: string | null = null,
): Promise<Comparison> {
  const { subscription, plans, opened } = await inWorkspace(comparing.database, scope, reason, (trx) =>
    prepare(trx, comparing, scope, subscriptionId),
  );
  const reading = await read(subscription, opened, silence);
  // Charges that the provider does not return now are asked for again by the next report.
  if (reading.kind === 'read' && opened !== null && 'access' in opened)
    await readPayments({ ...comparing, reconciler }, opened, scope, subscription, null);
  const facts = reading.kind === 'read' ? reading.facts : null;
  const found = driftOf(subscription, reading, plans, now);
  const drift = await inWorkspace(comparing.database, scope, reason, (trx) =>
    withUnpaidPeriod(trx, scope, subscription, found),
  );
  return { subscription, plans, reading, facts, drift, checkedAt: now };
}

async function prepare(
  trx: DbTransaction,
  comparing: Comparing,
  scope: WorkspaceScope,
  id: string,
): Promise<{ subscription: BilledSubscription; plans: PlansAtProvider; opened: ConnectedOrRefused | null }> {
  const subscription = await findBilledSubscription(trx, scope, id, 'read');
  if (subscription === undefined) throw subscriptionNotFound(id);
  const { connectionId } = subscription;
  const connection = connectionId === null ? undefined : await findConnection(trx, scope, connectionId);
  if (connection === undefined) return { subscription, plans: NO_PLANS, opened: null };
  const plans = await plansAtConnection(trx, scope, connection);
  return { subscription, plans, opened: await connectOrRefuse(trx, comparing, scope, connection.id) };
}

async function read(
  { providerReference, work, status }: BilledSubscription,
  opened: ConnectedOrRefused | null,
  silence: string | null,
): Promise<DriftReading> {
  const unread = (reason: string) => ({ kind: 'unread' as const, reason });
  if (opened === null || providerReference === null)
    return unread('The payment provider has not confirmed the subscription yet.');
  if ('refusal' in opened) return unread(opened.refusal);
  // The answer would be meaningless: see `driftOf`.
  if (work.unsettled !== null || status === 'incomplete') return unread('The provider was not asked.');
  if (silence !== null) return unread(silence);
  const outcome = await opened.adapter.fetchBilledSubscription(opened.access, providerReference);
  if (outcome.kind === 'done' || outcome.kind === 'pending') {
    const { facts, billing } = outcome.value;
    return { kind: 'read', facts, billing };
  }
  if (outcome.kind === 'declined' && outcome.code === 'not_found') return { kind: 'missing' };
  const reason = 'reason' in outcome ? outcome.reason : 'The payment provider is waiting for the customer.';
  return {
    ...unread(reason),
    ...(outcome.kind === 'unknown' && { silent: true }),
    ...(refusesCredentials(outcome) && { refused: true }),
  };
}
