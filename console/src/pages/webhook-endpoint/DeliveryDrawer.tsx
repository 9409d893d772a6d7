import { Drawer } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { useUppermost } from '../../ui/uppermost';
import { DeliveryDetails } from './DeliveryDetails';
import { refreshDeliveries } from './delivery-refresh';
import { useDeliverySearch } from './use-delivery-search';
import { Loading } from '../../ui/Loading';

/** The delivery named in the address, kept up to date. */
export function DeliveryDrawer({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const { delivery: messageId = '', show } = useDeliverySearch();
  const isUppermost = useUppermost(messageId !== '');
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
  const last = delivery.data?.attempts[0]?.id;
  useEffect(() => {
    // An attempt changes the endpoint's state and the list behind.
    if (last !== undefined) void invalidate(queries, [['webhook-endpoint'], ['webhook-deliveries']]);
  }, [queries, last]);
  return (
    <Drawer
      opened={messageId !== ''}
      onClose={() => show({ delivery: undefined })}
      closeOnEscape={isUppermost}
      position="right"
      size="lg"
      title="Delivery"
    >
      {delivery.isPending && <Loading label="Loading the delivery" />}
      {delivery.isError && <ProblemPanel error={delivery.error} />}
      {delivery.data !== undefined && <DeliveryDetails endpoint={endpoint} delivery={delivery.data} />}
    </Drawer>
  );
}
