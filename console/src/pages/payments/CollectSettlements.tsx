import { List } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Dialog } from '../../ui/Dialog';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { providerName } from '../../ui/providers';

/** Reads the payouts of every connection now, and shows the result of each. */
export function CollectSettlements() {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const collect = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/billing/settlements/collect', { params: { query } })),
    onSuccess: () => invalidate(queries, [['settlements']]),
    onError: (error) => {
      refreshIfOutdated(queries, error, [['settlements']]);
    },
  });
  const results = collect.data?.data ?? [];
  return (
    <>
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        loading={collect.isPending}
        onClick={() => collect.mutate()}
      >
        Collect now
      </ReasonedButton>
      <Dialog
        opened={collect.isSuccess || collect.isError}
        onClose={collect.reset}
        title="Settlements of the connections"
      >
        {collect.isError && <ProblemPanel error={collect.error} />}
        {collect.isSuccess && results.length === 0 && 'There is no connection to ask.'}
        <List size="sm" spacing="xs">
          {results.map(({ connectionId, provider, status, recorded, changed, reason }) => (
            <List.Item key={connectionId}>
              {provider === null ? connectionId : providerName(provider)}:{' '}
              {status === 'collected' ? `${recorded} new, ${changed} changed` : status}
              {reason !== null && `. ${reason}`}
            </List.Item>
          ))}
        </List>
      </Dialog>
    </>
  );
}
