import { Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import type { components } from '../../api/schema';
import { useWorkspace } from '../../app/workspace';
import { Loading } from '../../ui/Loading';
import { ReadProblem } from '../../ui/ReadProblem';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

type Webhook = components['schemas']['Webhook'];

/** Applies a webhook again, after showing what that would change. */
export function ReplayWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const path = { id: webhook.id };
  const dryRun = useQuery({
    queryKey: ['replay', query, webhook.id],
    queryFn: () =>
      bodyOf(
        api.POST('/api/webhooks/{id}/replay', { params: { query: { ...query, dryRun: 'true' }, path } }),
      ),
    retry: false,
    staleTime: 0,
    // A dialog that is opened again never shows what a replay would have changed before.
    gcTime: 0,
  });
  const replay = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/webhooks/{id}/replay', { params: { query, path } })),
    onSuccess: () => {
      void invalidate(queries, [['webhooks']]);
      onClose();
    },
    onError: (error) => {
      refreshIfOutdated(queries, error, [['webhooks']]);
    },
  });
  return (
    <Dialog
      isBusy={replay.isPending}
      opened
      onClose={onClose}
      title={`Replay ${webhook.eventType}`}
      size="lg"
    >
      <Stack>
        <Text size="sm">
          The provider is read now, and its current state is applied. Nothing is applied twice.
        </Text>
        {dryRun.isPending && <Loading label="Loading what it would change" size="sm" />}
        {dryRun.isError && <ReadProblem read={dryRun} />}
        {dryRun.isSuccess && (
          <>
            <Text size="sm" fw={600}>
              {dryRun.data.changes.length === 0 ? 'It would change nothing.' : 'It would change:'}{' '}
              {dryRun.data.reason}
            </Text>
            <Table aria-label="What it would change" verticalSpacing={4}>
              <Table.Tbody>
                {dryRun.data.changes.map(({ target, field, from, to }) => (
                  <Table.Tr key={`${target} ${field}`}>
                    <Table.Td>{target}</Table.Td>
                    <Table.Td>{field}</Table.Td>
                    <Table.Td>
                      {from ?? '–'} to {to ?? '–'}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </>
        )}
        <DialogActions
          action={replay}
          submit="Replay it"
          onSubmit={() => replay.mutate()}
          disabled={!dryRun.isSuccess}
          cancel="Leave it"
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  );
}
