import { workspaceTime } from '../clock/sandbox-clock-store';
import type { Clock } from '../clock/system-clock';
import type { ConnectedProviders } from '../connections/connected-providers';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { readPayments } from '../subscriptions/at-provider/read-payments';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import { StaleFactsError, type Reconciler } from '../subscriptions/at-provider/reconciler';
import { findCheckout } from './checkout-store';
import { refuseCreation, TOO_LATE } from './resolve-creation';
import type { CheckoutExpiry } from '../subscriptions/expire-checkout';
import { pollCheckout, type CheckoutPoll, type CheckoutPollResult } from './poll-checkout';
import { applyPollResult, type PolledCheckout } from './apply-poll-result';

/** The dependencies of checkouts at payment providers. */
export interface ProviderCheckoutOptions {
  database: Database;
  clock: Clock;
  connected: ConnectedProviders;
  reconciler: Reconciler;
}

/** How often to poll again when the row changes during a poll. */
const ATTEMPTS = 8;

interface PollPlan {
  connection: ConnectionRef;
  request: CheckoutPoll;
  before: PolledCheckout['before'];
  why: CheckoutExpiry['why'];
}

/**
 * Polls a checkout's provider and applies the result.
 *
 * @param givenUp whether the caller has given the checkout up
 * @throws TollgateError service_busy when the checkout keeps changing
 */
export async function syncCheckout(
  options: ProviderCheckoutOptions,
  scope: WorkspaceScope,
  checkoutId: string,
  { givenUp }: { givenUp: boolean },
): Promise<void> {
  const { database, clock, reconciler } = options;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      planPoll(trx, scope, checkoutId, { givenUp, recordedAt: clock.now() }),
    );
    if (plan === undefined) return;
    const { connection, request, before, why } = plan;
    const result = await poll(options, connection, request);
    try {
      await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        applyPollResult(reconciler, { trx, connection, recordedAt: clock.now() }, checkoutId, {
          result,
          before,
          why,
        }),
      );
      if (result.kind === 'paid' && before !== null) await readCharges(options, scope, before.subscriptionId);
      return;
    } catch (error) {
      if (!(error instanceof StaleFactsError)) throw error;
    }
  }
  throw new TollgateError('service_busy', 'The checkout is being changed by other requests.', {
    retryAfter: 5,
  });
}

/** Plans the poll; undefined if there is nothing to poll. */
async function planPoll(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
  { givenUp, recordedAt }: { givenUp: boolean; recordedAt: Instant },
): Promise<PollPlan | undefined> {
  const row = await findCheckout(trx, scope, checkoutId);
  if (row === undefined || row.provider === 'internal') return undefined;
  const { status, referenceKind, reference, secretVersion, connectionId, provider, subscriptionId } = row;
  const isGivenUp = givenUp || row.givenUpAt !== null;
  const isOver = status === 'complete' || (status === 'expired' && row.nextWakeAt === null);
  if (isOver || connectionId === null) return undefined;
  if (referenceKind === null || reference === null) {
    // Its page was never shown, so it cannot be paid, whether the provider created it or not.
    if (status === 'expired' || isGivenUp) await refuseCreation(trx, scope, checkoutId, TOO_LATE, recordedAt);
    return undefined;
  }
  const now = await workspaceTime(trx, scope, recordedAt);
  const subscription =
    subscriptionId === null ? undefined : await findBilledSubscription(trx, scope, subscriptionId, 'read');
  return {
    connection: { scope, id: connectionId, provider },
    request: {
      checkoutId,
      reference: { kind: referenceKind, reference },
      secretVersion,
      take: status === 'open',
      close: isGivenUp || status === 'expired' || now >= row.expiresAt,
    },
    before:
      subscription === undefined ? null : { subscriptionId: subscription.id, version: subscription.version },
    why: isGivenUp ? 'given_up' : 'deadline',
  };
}

/** Records every charge of the checkout's subscription: the poll names only one or two of its references. */
async function readCharges(
  options: ProviderCheckoutOptions,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<void> {
  const row = await inWorkspace(options.database, scope, 'SYSTEM', (trx) =>
    findBilledSubscription(trx, scope, subscriptionId, 'read'),
  );
  if (row === undefined || row.connectionId === null) return;
  try {
    await readPayments(options, await options.connected.open(scope, row.connectionId), scope, row, null);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
  }
}

/** Polls the provider. An unusable connection counts as a provider that does not answer. */
async function poll(
  { connected }: ProviderCheckoutOptions,
  { scope, id }: ConnectionRef,
  request: CheckoutPoll,
): Promise<CheckoutPollResult> {
  try {
    return await pollCheckout(await connected.open(scope, id), request);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    return { kind: 'unknown', refusal: error.detail };
  }
}
