import type { WebhookEndpoint } from '../../api/resources';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';

/** Returns why the operator may not send anything to the endpoint; null if they may. */
export function useSendRefusal({ enabled }: WebhookEndpoint): string | null {
  const refusal = useEndpointRefusal();
  return refusal ?? (enabled ? null : 'Nothing is sent to a disabled endpoint: enable it first.');
}
