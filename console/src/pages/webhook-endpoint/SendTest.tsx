import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import { Intent } from '../../api/commands';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ENDPOINT_VIEWS } from './queries';
import { useDeliverySearch } from './use-delivery-search';
import { useSendRefusal } from './use-send-refusal';

interface SendTestProps {
  endpoint: WebhookEndpoint;
  /** Id of the text that says why it is disabled. */
  saidBy: string;
}

/** Sends a test, and shows its outcome. */
export function SendTest({ endpoint, saidBy }: SendTestProps) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useSendRefusal(endpoint);
  const { show } = useDeliverySearch();
  const [intent] = useState(() => new Intent());
  const test = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/webhook-endpoints/{id}/test', {
          params: {
            query,
            path: { id: endpoint.id },
            header: { 'Idempotency-Key': intent.keyFor(undefined) },
          },
        }),
      ),
    onSuccess: () => {
      intent.end();
      void invalidate(queries, [['webhook-deliveries']]);
    },
    onError: (error) => {
      refreshIfOutdated(queries, error, ENDPOINT_VIEWS);
    },
  });
  // Called only while this page is shown: another one's address would lose its filters.
  const onSuccess = ({ messageId }: { messageId: string }) => show({ delivery: messageId });
  return (
    <>
      <ReasonedButton
        size="xs"
        reason={refusal}
        saidBy={saidBy}
        loading={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess })}
      >
        Send a test
      </ReasonedButton>
      {test.isError && <ProblemPanel error={test.error} />}
    </>
  );
}
