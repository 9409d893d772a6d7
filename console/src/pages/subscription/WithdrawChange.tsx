import { Stack } from '@mantine/core';
import { api } from '../../api/client';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useSubscriptionCommand } from './use-subscription-command';

/** Takes a scheduled change back. */
export function WithdrawChange({ subscription }: { subscription: Subscription }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const withdraw = useSubscriptionCommand<undefined>(
    () => undefined,
    (key) =>
      api.DELETE('/api/billing/subscriptions/{id}/scheduled-change', {
        params: { query, path: { id: subscription.id }, header: { 'Idempotency-Key': key } },
      }),
  );
  return (
    <Stack gap="xs">
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate(undefined)}
      >
        Withdraw the change
      </ReasonedButton>
      {withdraw.isError && <ProblemPanel error={withdraw.error} />}
    </Stack>
  );
}
