import type { CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { accessStatusOf, type OfferedPlan } from '../domain/subscription';
import type { WorkspaceScope } from '../tenancy/actor';
import { findBilledSubscription } from './billed-subscription-store';
import { findOpenSubscription } from './open-subscription-store';

/**
 * Builds the refusal for a customer with an open subscription in the plan's group: subscription_exists, or service_busy
 * if that one has expired and only its step is still pending. It can be neither changed nor cancelled, so the caller is
 * asked to wait.
 *
 * @param now the workspace's time
 */
export async function alreadyOpen(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
  plan: OfferedPlan,
  now: Instant,
): Promise<TollgateError> {
  const open = await findOpenSubscription(trx, scope, customer.id, plan.planGroupId);
  if (open !== undefined && (await hasExpired(trx, scope, open.id, now))) {
    return new TollgateError('service_busy', `The subscription ${open.id} is about to expire.`, {
      retryAfter: 1,
    });
  }
  const which = open === undefined ? 'an open subscription' : `the open subscription ${open.id}`;
  return new TollgateError(
    'subscription_exists',
    `The customer "${customer.externalId}" has ${which} in the plan group of "${plan.slug}".`,
    open === undefined ? { retryAfter: 1 } : { extra: { subscriptionId: open.id } },
  );
}

/** Whether local billing ends the subscription as soon as its due steps are taken. A provider ends its own. */
async function hasExpired(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<boolean> {
  const open = await findBilledSubscription(trx, scope, id, 'read');
  if (open?.provider !== 'internal') return false;
  const { expireAfterDays } = open;
  return accessStatusOf(open, { graceDays: expireAfterDays, expireAfterDays }, now) === 'none';
}
