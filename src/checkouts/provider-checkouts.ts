import { isRefusal, worthAnotherTry } from '../operations/command-trouble';
import type { ConnectedProvider } from '../connections/connected-providers';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { OperationAbandoned } from '../operations/operation-abandoned';
import { markRefused } from '../operations/operation-store';
import { problemOfRefusal } from '../operations/problem-of-refusal';
import { requireSamePrice } from '../plan-prices/require-same-price';
import type { CheckoutCreated } from '../providers/provider-operations';
import type { Outcome } from '../providers/outcome';
import type { WorkspaceScope } from '../tenancy/scope';
import { replayUnmatched } from '../webhooks/replay-unmatched';
import { readCheckoutState, type CheckoutState } from './checkout-state';
import { claimCreation, type CreationClaim } from './claim-creation';
import { concludeCreation, refuseCreation } from './conclude-creation';
import { refusalOfCreation } from './refusal-of-creation';
import { reserveCheckout } from './reserve-checkout';
import { syncCheckout, type ProviderCheckoutOptions } from './sync-checkout';

/**
 * Checkouts at payment providers, step by step. Each step reads the row, asks the provider, and writes down what it
 * said; each can be repeated, and has one effect. They answer the row as it is afterwards.
 */
export interface ProviderCheckouts {
  /** Writes down what an operation asks for; a refusal is noted on the operation. */
  reserve(scope: WorkspaceScope, checkoutId: string, operationId: string): Promise<CheckoutState | undefined>;
  /** Has it made at the provider, and answers its operation; while nobody knows, it is still to be made. */
  create(scope: WorkspaceScope, checkoutId: string): Promise<CheckoutState | undefined>;
  /**
   * Reads it back at the provider: what was paid is written down, and one that has ended, by its deadline or because it
   * was given up, ends there too.
   */
  sync(
    scope: WorkspaceScope,
    checkoutId: string,
    how: { givenUp: boolean },
  ): Promise<CheckoutState | undefined>;
}

export function createProviderCheckouts(options: ProviderCheckoutOptions): ProviderCheckouts {
  const { database, clock } = options;
  const inScope = <Result>(scope: WorkspaceScope, work: (trx: Transaction) => Promise<Result>) =>
    inWorkspace(database, scope, 'SYSTEM', work);
  const read = (scope: WorkspaceScope, id: string) =>
    inScope(scope, (trx) => readCheckoutState(trx, scope, id));

  return {
    async reserve(scope, checkoutId, operationId) {
      try {
        await inScope(scope, (trx) => reserveCheckout(trx, scope, checkoutId, operationId, clock.now()));
      } catch (error) {
        // Its row says so to whoever sent it, and there is no checkout.
        if (error instanceof OperationAbandoned) return read(scope, checkoutId);
        if (!isRefusal(error)) throw worthAnotherTry(error);
        const problem = problemOfRefusal(error);
        await inScope(scope, (trx) => markRefused(trx, scope, operationId, problem, clock.now()));
      }
      return read(scope, checkoutId);
    },

    async create(scope, checkoutId) {
      try {
        await make(options, scope, checkoutId);
      } catch (error) {
        if (!isRefusal(error)) throw worthAnotherTry(error);
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

/** @throws TollgateError plan_price_differs, and what the provider, or its connection, refuses */
async function make(
  { database, clock, connected }: ProviderCheckoutOptions,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<void> {
  const claim = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    claimCreation(trx, scope, checkoutId, clock.now()),
  );
  if (claim === undefined) return;
  const provider = await connected.open(scope, claim.connection.id);
  // Right before the customer is shown the provider's price: neither side may have changed unseen.
  if (claim.plan !== null) await requireSamePrice(provider, claim.plan);
  const outcome = await provider.adapter.createCheckout(provider.access, claim.request);
  switch (outcome.kind) {
    case 'done':
    case 'pending':
      await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        writeMade(trx, claim, provider, outcome, clock.now()),
      );
      return;
    case 'declined':
    case 'unsupported':
      throw refusalOfCreation(outcome);
    case 'unknown':
    case 'customer_action':
      // The row says since the claim that it may have been made, and when it is asked for again.
      return;
  }
}

/** With its names, webhooks that came before them find it. */
async function writeMade(
  trx: Transaction,
  { connection, request }: CreationClaim,
  { adapter }: ConnectedProvider,
  { value }: Extract<Outcome<CheckoutCreated>, { kind: 'done' | 'pending' }>,
  recordedAt: number,
): Promise<void> {
  const learnt = await concludeCreation(trx, connection, request.checkoutId, value, recordedAt);
  const now = recordedAt + (await readClockOffset(trx, connection.scope));
  for (const { reference } of learnt) {
    await replayUnmatched(trx, connection, reference, { adapter, now, recordedAt });
  }
}
