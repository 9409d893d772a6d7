import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Clock } from '../clock/clock';
import type { ConnectedProviders } from '../connections/connected-providers';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { readPayments } from '../subscriptions/at-provider/read-payments';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { WorkspaceScope } from '../tenancy/scope';
import type { ConnectionRef } from '../connections/connection-ref';
import { StaleFacts } from '../webhooks/reconcile/reconciliation';
import { findCheckout } from './checkout-store';
import { refuseCreation } from './conclude-creation';
import type { CheckoutExpiry } from '../subscriptions/expire-checkout';
import { lookAtCheckout, type Looking, type Sight } from './look-at-checkout';
import { LATE } from './refusal-of-creation';
import { writeSight, type Seen } from './write-sight';

/** What checkouts at payment providers need. */
export interface ProviderCheckoutOptions {
  database: Database;
  clock: Clock;
  connected: ConnectedProviders;
}

/** How often the provider is asked anew because a row has changed meanwhile. */
const ATTEMPTS = 8;

interface Plan {
  connection: ConnectionRef;
  looking: Looking;
  before: Seen['before'];
  why: CheckoutExpiry['why'];
}

/** @throws TollgateError service_busy when what it is about keeps changing */
export async function settleCheckout(
  options: ProviderCheckoutOptions,
  scope: WorkspaceScope,
  checkoutId: string,
  { givenUp }: { givenUp: boolean },
): Promise<void> {
  const { database, clock } = options;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      planLook(trx, scope, checkoutId, { givenUp, recordedAt: clock.now() }),
    );
    if (plan === undefined) return;
    const { connection, looking, before, why } = plan;
    const sight = await look(options, connection, looking);
    try {
      await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        writeSight(trx, connection, checkoutId, { sight, before, why }, clock.now()),
      );
      if (sight.kind === 'paid' && before !== null) await readCharges(options, scope, before.subscriptionId);
      return;
    } catch (error) {
      if (!(error instanceof StaleFacts)) throw error;
    }
  }
  throw new TollgateError('service_busy', 'The checkout keeps changing at the moment.', { retryAfter: 5 });
}

/** Undefined where there is nothing at the provider to look at. */
async function planLook(
  trx: Transaction,
  scope: WorkspaceScope,
  checkoutId: string,
  { givenUp, recordedAt }: { givenUp: boolean; recordedAt: Instant },
): Promise<Plan | undefined> {
  const row = await findCheckout(trx, scope, checkoutId);
  if (row === undefined || row.provider === 'internal') return undefined;
  const { status, referenceKind, reference, connectionId, provider, subscriptionId } = row;
  const isGivenUp = givenUp || row.givenUpAt !== null;
  const isOver = status === 'complete' || (status === 'expired' && row.nextWakeAt === null);
  if (isOver || connectionId === null) return undefined;
  if (referenceKind === null || reference === null) {
    // Nobody was given its page, so nobody can pay it, whether it was made or not.
    if (status === 'expired' || isGivenUp) await refuseCreation(trx, scope, checkoutId, LATE, recordedAt);
    return undefined;
  }
  const now = recordedAt + (await readClockOffset(trx, scope));
  const subscription =
    subscriptionId === null ? undefined : await findBilledSubscription(trx, scope, subscriptionId, 'read');
  return {
    connection: { scope, id: connectionId, provider },
    looking: {
      checkoutId,
      reference: { kind: referenceKind, reference },
      take: status === 'open',
      close: isGivenUp || status === 'expired' || now >= row.expiresAt,
    },
    before:
      subscription === undefined ? null : { subscriptionId: subscription.id, version: subscription.version },
    why: isGivenUp ? 'given_up' : 'deadline',
  };
}

/** What the checkout's subscription was charged, under every name: the page's answer has one or two of them. */
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

/** A connection that cannot be used now is one that does not answer. */
async function look(
  { connected }: ProviderCheckoutOptions,
  { scope, id }: ConnectionRef,
  looking: Looking,
): Promise<Sight> {
  try {
    return await lookAtCheckout(await connected.open(scope, id), looking);
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    return { kind: 'unseen' };
  }
}
