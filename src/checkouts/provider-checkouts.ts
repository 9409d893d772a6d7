import { isRefusal, toRetryableError } from '../operations/command-errors';
import type { ConnectedProvider } from '../connections/connected-providers';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { OperationAbandonedError } from '../operations/abandonment-errors';
import { requireSamePrice } from '../plan-prices/require-same-price';
import type { CheckoutCreated } from '../providers/provider-operations';
import type { Outcome } from '../providers/outcome';
import type { WorkspaceScope } from '../tenancy/actor';
import { readCheckoutState, type CheckoutState } from './checkout-timers';
import { recordPendingCreation, type PendingCreation } from './record-pending-creation';
import { refusalOfCreation, refuseCreation, resolveCreation } from './resolve-creation';
import { prepareCheckout } from './prepare-checkout';
import { syncCheckout, type ProviderCheckoutOptions } from './sync-checkout';
import { storingRefusal } from '../operations/storing-refusal';

/**
 * The steps of a checkout at a payment provider. Each reads the row, calls the provider and records its answer; each is
 * idempotent. They return the state afterwards.
 */
export interface ProviderCheckouts {
  /** Records the checkout that an operation asks for, or the refusal on the operation. */
  prepare(scope: WorkspaceScope, checkoutId: string, operationId: string): Promise<CheckoutState | undefined>;
  /** Creates the checkout at its provider and answers its operation. If the outcome is unknown, that remains due. */
  create(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Polls the provider and applies the result: records a payment, and expires the checkout at the provider after its
   * deadline or when it was given up.
   */
  sync(
    scope: WorkspaceScope,
    checkoutId: string,
    how: { givenUp: boolean },
  ): Promise<CheckoutState | undefined>;
}

export function createProviderCheckouts(options: ProviderCheckoutOptions): ProviderCheckouts {
  const { database, clock } = options;
  const inScope = <Result>(scope: WorkspaceScope, work: (trx: DbTransaction) => Promise<Result>) =>
    inWorkspace(database, scope, 'SYSTEM', work);
  const read = (scope: WorkspaceScope, id: string) =>
    inScope(scope, (trx) => readCheckoutState(trx, scope, id));

  return {
    async prepare(scope, checkoutId, operationId) {
      try {
        await storingRefusal(options, scope, operationId, () =>
          inScope(scope, (trx) => prepareCheckout(trx, scope, { checkoutId, operationId }, clock.now())),
        );
      } catch (error) {
        // The operation's row records either, and there is no checkout.
        if (!(error instanceof OperationAbandonedError) && !isRefusal(error)) throw error;
      }
      return read(scope, checkoutId);
    },

    async create(scope, checkoutId) {
      try {
        await callProvider(options, scope, checkoutId);
      } catch (error) {
        if (!isRefusal(error)) throw toRetryableError(error);
        await inScope(scope, (trx) => refuseCreation(trx, scope, checkoutId, error, clock.now()));
      }
      return read(scope, checkoutId);
    },

    async sync(scope, checkoutId, how) {
      await syncCheckout(options, scope, checkoutId, how);
      return read(scope, checkoutId);
    },
  };
}

/** @throws TollgateError plan_price_differs; the refusal of the provider or its connection */
async function callProvider(
  options: ProviderCheckoutOptions,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<void> {
  const { database, clock, connected } = options;
  const pending = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    recordPendingCreation(trx, scope, checkoutId, clock.now()),
  );
  if (pending === undefined) return;
  const provider = await connected.open(scope, pending.connection.id);
  // The customer is about to see the provider's price: it must still be the plan's.
  if (pending.plan !== null) await requireSamePrice(provider, pending.plan);
  const outcome = await provider.adapter.createCheckout(provider.access, pending.request);
  switch (outcome.kind) {
    case 'done':
    case 'pending':
      await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        applyCreated(trx, options, pending, provider, outcome),
      );
      return;
    case 'declined':
    case 'unsupported':
      throw refusalOfCreation(outcome);
    case 'unknown':
    case 'customer_action':
      // The row records the pending call and when it is repeated.
      return;
  }
}

/** Applies the created checkout, and replays webhooks that arrived before its references were known. */
async function applyCreated(
  trx: DbTransaction,
  { clock, reconciler }: ProviderCheckoutOptions,
  { connection, request }: PendingCreation,
  { adapter, access: { secretVersion } }: ConnectedProvider,
  { value }: Extract<Outcome<CheckoutCreated>, { kind: 'done' | 'pending' }>,
): Promise<void> {
  const recordedAt = clock.now();
  const creation = { ...value, secretVersion };
  const newlyKnown = await resolveCreation(trx, connection, request.checkoutId, creation, recordedAt);
  const now = await workspaceTime(trx, connection.scope, recordedAt);
  await reconciler.replayUnmatched(trx, connection, newlyKnown, { adapter, now, recordedAt });
}
