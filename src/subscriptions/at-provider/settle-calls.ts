import type { ConnectedProvider, ConnectedProviders } from '../../connections/connected-providers';
import type { Clock } from '../../clock/clock';
import type { Database } from '../../db/pools';
import { inWorkspace, setContext, setRequest } from '../../db/workspace-transaction';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import type { ProviderIntent, UnsettledCall } from '../../domain/provider-work';
import { findOperation } from '../../operations/operation-store';
import { contextOf } from '../commands/run-operation';
import { requireSamePrice, type PlanToSell } from '../../plan-prices/require-same-price';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import { refusesCredentials } from '../../providers/refused-credentials';
import type { WorkspaceScope } from '../../tenancy/scope';
import type { BilledSubscription } from '../billed-subscription';
import { findBilledSubscription } from '../billed-subscription-store';
import { ofSeats, sellsMore } from '../sale-of-change';
import { askProvider } from './ask-provider';
import { concludeCommand, isInDoubt, type Conclusion } from './conclude-command';
import { NotSettledYet } from './not-settled-yet';
import { readPayments } from './read-payments';
import type { Reconciler } from './reconciler';

export interface ProviderSide {
  database: Database;
  clock: Clock;
  connected: ConnectedProviders;
  reconciler: Reconciler;
  /** Where a provider sends a customer who has approved or refused, unless the connection says. */
  returnUrl: (environment: WorkspaceScope['environment']) => string;
}

/** One try at what is unsettled of a subscription. */
export interface SettleTry {
  subscriptionId: string;
  /** The workspace's time. */
  at: Instant;
  /** Whether the calls may have been made before. */
  repeated: boolean;
  /** Then a doubt is written down, and asked about later; before, it is worth another try at once. */
  lastTry: boolean;
}

/** How often a repair reads the provider in one try, because our row has changed meanwhile. */
const READS = 5;

/** What a provider may have charged for at once. */
const CHARGES: ReadonlySet<UnsettledCall['intent']['kind']> = new Set(['change_now', 'repair']);

const KEEPS_CHANGING = { kind: 'unknown', reason: 'the subscription keeps changing' } as const;

/**
 * Makes the calls that a command has claimed, and writes down what became of them. A crash anywhere in between leaves
 * the claim, and the next try goes on from it. A repair sets the row to what was read, so that it reads again when the
 * row has changed since: what a webhook has written meanwhile is newer.
 *
 * @returns null when nothing was unsettled
 * @throws NotSettledYet when the outcome is not known and this was not the last try
 */
export async function settleCalls(
  side: ProviderSide,
  scope: WorkspaceScope,
  { subscriptionId, at, repeated, lastTry }: SettleTry,
  reads = READS,
): Promise<Conclusion | null> {
  const { database, clock, connected, returnUrl } = side;
  const found = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
    findBilledSubscription(trx, scope, subscriptionId, 'read'),
  );
  const unsettled = found?.work.unsettled ?? null;
  if (found === undefined || unsettled === null) return null;
  const outcome = reads > 0 ? await ask(found, unsettled) : KEEPS_CHANGING;
  if (!lastTry && isInDoubt(unsettled.intent, outcome)) {
    throw new NotSettledYet(
      'reason' in outcome ? outcome.reason : 'it has taken it, and does not show it yet',
    );
  }
  const conclusion = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const operation = await findOperation(trx, scope, unsettled.operationId);
    if (operation === undefined) throw new Error(`There is no operation ${unsettled.operationId}.`);
    await setContext(trx, scope.workspaceId, scope.environment, operation.reason);
    const locked = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
    if (locked?.work.unsettled?.key !== unsettled.key) return null;
    const isOld = unsettled.intent.kind === 'repair' && locked.version !== found.version;
    if (isOld && outcome.kind !== 'unknown') return 'old';
    await setRequest(trx, operation.requestId);
    const context = contextOf(operation, scope, at, clock.now());
    const concluded = await concludeCommand(trx, context, locked, locked.work.unsettled, outcome);
    return { ...concluded, requestId: operation.requestId };
  });
  if (conclusion !== 'old') {
    if (conclusion?.kind === 'applied' && CHARGES.has(unsettled.intent.kind)) {
      await readCharges(conclusion.requestId);
    }
    return conclusion;
  }
  return settleCalls(side, scope, { subscriptionId, at, repeated: true, lastTry }, reads - 1);

  /** What the command has charged or given back; what cannot be read now is read with the next period. */
  async function readCharges(requestId: string): Promise<void> {
    if (found === undefined || found.connectionId === null) return;
    try {
      const provider = await connected.open(scope, found.connectionId);
      await readPayments(side, provider, scope, found, requestId);
    } catch (error) {
      if (!isTollgateError(error)) throw error;
    }
  }

  async function ask(
    found: BilledSubscription,
    { calls, key, intent, tries }: UnsettledCall,
  ): Promise<Outcome<SubscriptionFacts>> {
    const { connectionId, providerReference } = found;
    const asked = repeated || tries > 0;
    if (connectionId === null || providerReference === null) {
      return { kind: 'declined', code: 'not_connected', reason: 'The subscription has no connection.' };
    }
    try {
      const provider = await connected.open(scope, connectionId);
      // What may have been done already is found out, and not refused.
      const sale = asked ? null : saleOf(found, intent);
      if (sale !== null) await requireSamePrice(provider, sale);
      const own = provider.access.settings['returnUrl'];
      const outcome = await askProvider(provider, {
        reference: providerReference,
        calls,
        key,
        repeated: asked,
        reason:
          intent.kind === 'cancel' ? 'Cancelled by the merchant on request.' : 'Requested by the merchant.',
        returnUrl: typeof own === 'string' ? own : returnUrl(scope.environment),
      });
      if (intent.kind === 'repair' && outcome.kind === 'done')
        return await withBilling(provider, providerReference, outcome);
      // Whose key is refused now may have been done before; that is asked for until a key is accepted.
      if (!asked || outcome.kind !== 'declined' || !refusesCredentials(outcome)) return outcome;
      return { kind: 'unknown', reason: outcome.reason };
    } catch (error) {
      if (!isTollgateError(error)) throw error;
      // The connection cannot be opened, or the price differs: nothing was sent just now, but something may have
      // been before.
      const { detail: reason, code } = error;
      return asked ? { kind: 'unknown', reason } : { kind: 'declined', code, reason };
    }
  }
}

/** The answer of a repair compares all that a look for drift does; what cannot be read now is left out. */
async function withBilling(
  { adapter, access }: ConnectedProvider,
  reference: string,
  outcome: Extract<Outcome<SubscriptionFacts>, { kind: 'done' }>,
): Promise<Outcome<SubscriptionFacts>> {
  const read = await adapter.fetchBilledSubscription?.(access, reference);
  if (read?.kind !== 'done') return outcome;
  const { facts, billing } = read.value;
  return { kind: 'done', value: { ...facts, billing } };
}

/** What a command sells, by the terms that it was judged with; the provider may have another price by now. */
function saleOf(before: BilledSubscription, intent: ProviderIntent): PlanToSell | null {
  if (intent.kind !== 'change_now' && intent.kind !== 'request_change') return null;
  const { planId, planSlug, unitAmount, interval, pricing, planReference } = intent.to;
  if (!sellsMore(before, intent.to)) return null;
  const price = { amount: BigInt(unitAmount), currency: before.currency };
  const plan = { id: planId, slug: planSlug, planReference, interval, pricing, price };
  return { ...plan, ...ofSeats(before, plan) };
}
