import type { WebhookEndpoint } from '../../api/resources';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';

/** Why the operator can have nothing sent to the endpoint; null where they can. */
export function useSendRefusal({ enabled }: WebhookEndpoint): string | null {
  const refusal = useEndpointRefusal();
  return refusal ?? (enabled ? null : 'Nothing is sent to a disabled endpoint: enable it first.');
}
