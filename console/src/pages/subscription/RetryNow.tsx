import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { isPageOutdated } from '../../api/problem';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { refreshSubscriptions } from './queries';

/** Retries a pending attempt at the payment provider at once. Empty if no retry is pending. */
export function RetryNow({ subscription }: { subscription: Subscription }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('developer');
  const retry = useMutation({
    mutationFn: () =>
      api.POST('/api/billing/subscriptions/{id}/retry', {
        params: { query, path: { id: subscription.id } },
      }),
    onSuccess: () => refreshSubscriptions(queries),
    onError: (error) => {
      if (isPageOutdated(error)) void refreshSubscriptions(queries);
    },
  });
  if (!subscription.waitingCommands.retry && !retry.isError) return null;
  return (
    <Stack gap="xs">
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Retry now
      </ReasonedButton>
      {retry.isError && <ProblemPanel error={retry.error} />}
    </Stack>
  );
}
