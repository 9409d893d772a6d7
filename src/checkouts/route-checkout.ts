import { type ConnectionRow, listAllConnections } from '../connections/connection-store';
import { requireConnection } from '../connections/require-connection';
import { holdCustomer } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { opensAgain } from '../domain/operation-status';
import { findStoredAnswer, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { findOperationOfKey } from '../operations/operation-store';
import type { Command } from '../operations/submit-command';
import type { PlanToSell } from '../plan-prices/require-same-price';
import { readSettings } from '../settings/settings-store';
import { alreadyOpen } from '../subscriptions/already-open';
import { requireNamedCustomer, requireOfferedPlan } from '../subscriptions/require-offer';
import { findOpenSubscription } from '../subscriptions/open-subscription-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { toOrderInput, type CreateCheckoutInput, type OrderedCheckout } from './checkout-input';
import { planReferenceAt } from '../subscriptions/plan-at-provider';
import { requireOfferable } from './require-offerable';
import { requireReturnOrigins, returnUrlsOf } from './return-urls';
import type { Provider } from '../domain/provider';

/** How a checkout is created: already answered, in one transaction here, or by a command at a payment provider. */
type CheckoutRoute =
  | { kind: 'answered'; answer: StoredAnswer }
  | { kind: 'here' }
  | { kind: 'command'; command: Command; sale: Sale | null };

/** The plan that a new command sells. */
interface Sale {
  connectionId: string;
  plan: PlanToSell;
}

/**
 * Decides how a checkout is created, and refuses what its provider cannot offer before anything is written or sent.
 *
 * @param returnPage the fallback of `successUrl` and `cancelUrl`
 */
export async function routeCheckout(
  trx: DbTransaction,
  actor: Actor,
  input: CreateCheckoutInput,
  claim: Claim,
  returnPage: string,
): Promise<CheckoutRoute> {
  const { scope } = actor;
  const answer = await findStoredAnswer(trx, scope, claim);
  if (answer !== undefined) return { kind: 'answered', answer };
  // A command accepted under this key is carried out as accepted, whatever has changed since. One that was refused or
  // abandoned is judged again, by the settings and connections of now.
  const accepted = await findOperationOfKey(trx, scope, claim.key);
  if (accepted !== undefined && !opensAgain(accepted.status)) {
    const { targetId, input: stored } = accepted;
    return { kind: 'command', command: commandOf(targetId, stored), sale: null };
  }
  const settings = await readSettings(trx, scope);
  requireReturnOrigins(input, settings, scope.environment);
  const connection = await chooseBilling(trx, scope, input, settings);
  if (connection === null) return { kind: 'here' };
  const { ordered, plan } = await order(trx, actor, input, connection, returnPage);
  const command = commandOf(ordered.customerId, toOrderInput(ordered));
  const verify = async (accepting: DbTransaction): Promise<void> => {
    await holdCustomer(accepting, actor.scope, { id: ordered.customerId });
  };
  return {
    kind: 'command',
    command: { ...command, verify, isRouted: true },
    sale: plan && { connectionId: connection.id, plan },
  };
}

function commandOf(targetId: string, input: Record<string, unknown>): Command {
  return { kind: 'create_checkout', subscriptionId: null, targetId, input };
}

async function order(
  trx: DbTransaction,
  { scope, now }: Actor,
  input: CreateCheckoutInput,
  connection: ConnectionRow,
  returnPage: string,
): Promise<{ ordered: OrderedCheckout; plan: PlanToSell | null }> {
  const { environment } = scope;
  const customer = await requireNamedCustomer(trx, scope, input);
  const { amount, description, expiresInMinutes, metadata } = input;
  const shared = {
    customerId: customer.id,
    connectionId: connection.id,
    ...returnUrlsOf(input, connection.settings, { environment, returnPage }),
    expiresInMinutes,
    metadata,
  };
  if (amount !== undefined && description !== undefined) {
    await requireOfferable(trx, scope, connection, { customer, plan: null, seats: 1 });
    return { ordered: { ...shared, offer: { kind: 'payment', ...amount, description } }, plan: null };
  }
  const { seats = 1 } = input;
  const plan = await requireOfferedPlan(trx, scope, input);
  if (plan.archived) throw new TollgateError('plan_archived', `The plan "${plan.slug}" is archived.`);
  await requireOfferable(trx, scope, connection, { customer, plan, seats });
  if ((await findOpenSubscription(trx, scope, customer.id, plan.planGroupId)) !== undefined) {
    throw await alreadyOpen(trx, scope, customer, plan, now);
  }
  const planReference = await planReferenceAt(trx, scope, connection, plan.id);
  const ordered = { ...shared, offer: { kind: 'subscription', planId: plan.id, seats } } as const;
  return { ordered, plan: { ...plan, planReference } };
}

/**
 * Chooses the connection that collects for a checkout: the one named, the one of the named provider, or the one of the
 * workspace's default provider. Null means local billing.
 *
 * @throws TollgateError connection_not_found, connection_disabled, connection_ambiguous (with `connectionIds`),
 *   validation_failed (`/connectionId`) for a connection of another provider
 */
async function chooseBilling(
  trx: DbTransaction,
  scope: WorkspaceScope,
  requested: { provider?: Provider | undefined; connectionId?: string | undefined },
  { defaultProvider }: { defaultProvider: Provider },
): Promise<ConnectionRow | null> {
  const { provider, connectionId } = requested;
  if (connectionId !== undefined) {
    const connection = await requireConnection(trx, scope, connectionId);
    if (provider !== undefined && provider !== connection.provider)
      throw ofAnotherProvider(connection, provider);
    return connection;
  }
  const chosen = provider ?? defaultProvider;
  if (chosen === 'internal') return null;
  const all = await listAllConnections(trx, scope);
  const [only, ...others] = all.filter((one) => one.provider === chosen && one.disabled_at === null);
  if (only === undefined) {
    const who = `an enabled connection of ${chosen}`;
    throw new TollgateError('connection_not_found', `This environment does not have ${who}.`);
  }
  if (others.length > 0) {
    const connectionIds = [only, ...others].map(({ id }) => id);
    const which = connectionIds.join(', ');
    throw new TollgateError('connection_ambiguous', `${chosen} has several connections: ${which}.`, {
      extra: { connectionIds },
    });
  }
  return only;
}

function ofAnotherProvider(connection: ConnectionRow, provider: Provider): TollgateError {
  const message = `is a connection of ${connection.provider}, not of ${provider}`;
  return new TollgateError('validation_failed', `/connectionId: ${message}`, {
    errors: [
      { pointer: '/connectionId', message, fix: 'Leave out `provider`, or name one of its connections.' },
    ],
  });
}
