import { TollgateError } from '../domain/errors';
import type { Outcome } from '../providers/outcome';
import { checkoutUnsupported } from './require-offerable';

/** Codes of the adapters by which the customer's means of payment said no. */
const OF_PAYMENT: ReadonlySet<string> = new Set(['card_declined', 'customer_action_required']);

/** What a provider's no to a checkout is to whoever asked for it. */
export function refusalOfCreation(
  outcome: Extract<Outcome<unknown>, { kind: 'declined' | 'unsupported' }>,
): TollgateError {
  const { reason } = outcome;
  if (outcome.kind === 'unsupported') return checkoutUnsupported(reason, 'provider_unsupported');
  const { code } = outcome;
  return new TollgateError(OF_PAYMENT.has(code) ? 'payment_declined' : 'provider_refused', reason, {
    extra: { providerCode: code },
  });
}

/** The refusal of a checkout that ended here before its provider had made it. */
export const LATE = new TollgateError(
  'provider_refused',
  'The checkout was replaced or ran out before the payment provider had made it. Make a new one.',
  { extra: { providerCode: 'no_answer' } },
);
