import type { PriceReading } from '../domain/plan-price-comparison';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter } from '../providers/provider-adapter';
import { refusesCredentials } from '../providers/refused-credentials';

/** Maximum time that a sale waits for a price; a price that does not arrive in time blocks nothing. */
const TIMEOUT_MS = 4_000;

/** Reads the provider's current price under a plan's reference. Never throws, whatever the provider answers. */
export async function readPlanPrice(
  { adapter, access }: { adapter: Pick<ProviderAdapter, 'fetchPlanPrice'>; access: ConnectionAccess },
  planReference: string,
): Promise<PriceReading> {
  const timeoutMs = Math.min(access.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
  const outcome = await adapter.fetchPlanPrice({ ...access, timeoutMs }, planReference);
  if (outcome.kind === 'done' || outcome.kind === 'pending') return { kind: 'read', price: outcome.value };
  const reason = 'reason' in outcome ? outcome.reason : 'The payment provider is waiting for the customer.';
  return {
    kind: 'unread',
    reason,
    ...(outcome.kind === 'unknown' && { silent: true }),
    ...(refusesCredentials(outcome) && { refused: true }),
  };
}
