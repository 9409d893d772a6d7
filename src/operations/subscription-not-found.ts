import { TollgateError } from '../domain/errors';

export function subscriptionNotFound(id: string): TollgateError {
  return new TollgateError('subscription_not_found', `There is no subscription "${id}" in this environment.`);
}
