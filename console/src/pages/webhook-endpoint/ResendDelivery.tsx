import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import type { WebhookDelivery, WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ENDPOINT_VIEWS } from './queries';
import { useSendRefusal } from './use-send-refusal';

interface ResendDeliveryProps {
  endpoint: WebhookEndpoint;
  delivery: WebhookDelivery;
}

/** Resends a message now. */
export function ResendDelivery({ endpoint, delivery: { messageId } }: ResendDeliveryProps) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useSendRefusal(endpoint);
  const resend = useMutation({
    mutationFn: () =>
      api.POST('/api/webhook-endpoints/{id}/deliveries/{messageId}/resend', {
        params: { query, path: { id: endpoint.id, messageId } },
      }),
    onSuccess: () => invalidate(queries, ENDPOINT_VIEWS),
    onError: (error) => {
      refreshIfOutdated(queries, error, ENDPOINT_VIEWS);
    },
  });
  return (
    <Stack gap="xs" align="flex-start">
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        hint="Now, with the same webhook-id, and ten attempts again."
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Send again
      </ReasonedButton>
      {resend.isError && <ProblemPanel error={resend.error} />}
    </Stack>
  );
}
