import type { ConnectionRow } from '../connections/connection-store';
import type { CustomerRow } from '../customers/customer-store';
import type { DbTransaction } from '../db/pools';
import { countInWords } from '../domain/count-in-words';
import { TollgateError } from '../domain/errors';
import { givesTrials } from '../domain/capability-support';
import { quantityAtProvider } from '../domain/provider-quantity';
import type { OfferedPlan } from '../domain/subscription';
import { planReferenceAt } from '../subscriptions/plan-at-provider';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Refuses a checkout that a payment provider could not offer, before anything is written.
 *
 * @param plan null for a one-time amount
 * @throws TollgateError capability_unsupported for seats or a trial that the provider does not have, plan_not_mapped,
 *   validation_failed for a customer without the e-mail address that the provider needs
 */
export async function requireOfferable(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connection: ConnectionRow,
  offered: { customer: CustomerRow; plan: OfferedPlan | null; seats: number },
): Promise<void> {
  const { customer, plan, seats } = offered;
  const quantity = plan === null ? 1 : quantityAtProvider({ pricing: plan.pricing, seats });
  if (plan !== null && plan.trialDays > 0 && !givesTrials(connection.provider)) throw trialUnsupported(plan);
  if (connection.provider === 'provider_c' && quantity !== 1) throw seatsUnsupported();
  if (connection.provider === 'provider_c' && (customer.email ?? '').trim() === '')
    throw emailMissing(customer);
  if (plan !== null) await planReferenceAt(trx, scope, connection, plan.id);
}

function seatsUnsupported(): TollgateError {
  const reason = 'This payment provider does not support seats.';
  return checkoutUnsupported(reason, 'seats_unsupported');
}

function trialUnsupported({ slug, trialDays }: OfferedPlan): TollgateError {
  const days = countInWords(trialDays, 'day');
  const reason = `The plan "${slug}" begins with a trial of ${days}. This payment provider does not support trials: it would charge at once.`;
  return checkoutUnsupported(reason, 'trial_unsupported');
}

/** Returns the refusal of an operation that the provider does not support. */
export function checkoutUnsupported(reason: string, reasonCode: string): TollgateError {
  return new TollgateError('capability_unsupported', reason, {
    extra: {
      capability: { name: 'checkout', supported: false, available: false, timing: null, reason, reasonCode },
    },
  });
}

function emailMissing({ id, externalId }: CustomerRow): TollgateError {
  const message = `names "${externalId}", a customer without an e-mail address, which this payment provider requires`;
  return new TollgateError('validation_failed', `/externalId: ${message}`, {
    errors: [
      {
        pointer: '/externalId',
        message,
        fix: 'Give the customer an `email`, then send the same request again.',
      },
    ],
    extra: { customerId: id },
  });
}
