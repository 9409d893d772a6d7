import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { WebhookEndpoint } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Time } from '../../ui/Time';
import { countInWords } from '../../../../src/domain/count-in-words.ts';

const REFRESH_MS = 1_000;

interface ResendProgressProps {
  endpoint: WebhookEndpoint;
  resendId: string;
}

/** Progress of a resend, which continues without this page. */
export function ResendProgress({ endpoint, resendId }: ResendProgressProps) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const resend = useQuery({
    queryKey: ['webhook-resend', query, endpoint.id, resendId],
    queryFn: () =>
      bodyOf(
        api.GET('/api/webhook-endpoints/{id}/resends/{resendId}', {
          params: { query, path: { id: endpoint.id, resendId } },
        }),
      ),
    refetchInterval: ({ state }) => state.data?.endedAt === null && REFRESH_MS,
    retry: false,
  });
  const { resent, endedAt = null } = resend.data ?? {};
  useEffect(() => {
    // Messages queued since then appear in the list, and are followed there.
    if (resent !== undefined) void invalidate(queries, [['webhook-deliveries']]);
  }, [queries, resent, endedAt]);
  if (resend.isError) return <ProblemPanel error={resend.error} />;
  if (resend.data === undefined) return null;
  const { since, undeliveredOnly } = resend.data;
  return (
    <Stack gap={2} role="status">
      <Group gap="xs" wrap="nowrap">
        {endedAt === null && <Loader size="xs" aria-hidden />}
        <Text size="sm" fw={600}>
          {endedAt === null ? 'Sending again' : 'Queued'}:{' '}
          {countInWords(resend.data.resent, 'message', resend.data.resent.toLocaleString())}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {undeliveredOnly ? 'What it has not received' : 'All'} since <Time at={since} />.{' '}
        {endedAt !== null && 'The deliveries show the result of each.'}
      </Text>
    </Stack>
  );
}
