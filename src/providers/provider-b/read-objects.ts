import type { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { checkoutOrder, subscriptionObject } from './schemas';

/** @throws ProviderBFailure */
export function readOrder(
  client: ProviderBClient,
  access: ConnectionAccess,
  order: string,
): Promise<z.infer<typeof checkoutOrder>> {
  return client.get(access, pathOf('/v2/checkout/orders/', order), checkoutOrder);
}

/**
 * Reads a subscription with its last failed payment, which B shows only on request.
 *
 * @throws ProviderBFailure
 */
export function readSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  subscription: string,
): Promise<z.infer<typeof subscriptionObject>> {
  const path = `${pathOf('/v1/billing/subscriptions/', subscription)}?fields=last_failed_payment`;
  return client.get(access, path, subscriptionObject);
}
