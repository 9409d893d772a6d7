import { Drawer, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { DeliveryDetails } from './DeliveryDetails';
import { refreshDeliveries } from './delivery-refresh';
import { useDeliverySearch } from './use-delivery-search';

/** The delivery that the address names, as it goes on. */
export function DeliveryDrawer({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { query } = useWorkspace();
  const { delivery: messageId = '', show } = useDeliverySearch();
  const delivery = useQuery({
    queryKey: ['webhook-delivery', query, endpoint.id, messageId],
    queryFn: () =>
      bodyOf(
        api.GET('/api/webhook-endpoints/{id}/deliveries/{messageId}', {
          params: { query, path: { id: endpoint.id, messageId } },
        }),
      ),
    enabled: messageId !== '',
    refetchInterval: ({ state }) => refreshDeliveries(state.data === undefined ? [] : [state.data]),
    retry: false,
  });
  return (
    <Drawer
      opened={messageId !== ''}
      onClose={() => show({ delivery: undefined })}
      position="right"
      size="lg"
      title="Delivery"
    >
      {delivery.isPending && <Loader aria-label="Loading the delivery" />}
      {delivery.isError && <ProblemPanel error={delivery.error} />}
      {delivery.data !== undefined && <DeliveryDetails endpoint={endpoint} delivery={delivery.data} />}
    </Drawer>
  );
}
