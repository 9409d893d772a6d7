import { Stack } from '@mantine/core';
import { api } from '../../api/client';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { useSubscriptionCommand } from './use-subscription-command';

interface WithdrawChangeProps {
  subscription: Subscription;
  /** Beside which it stands: of two, the one that has still to be approved is taken back. */
  change: 'approval' | 'scheduled';
}

/** Takes a change back that waits. Says why it cannot be. */
export function WithdrawChange({ subscription, change }: WithdrawChangeProps) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const withdraw = useSubscriptionCommand<undefined>(
    () => undefined,
    (key) =>
      api.DELETE('/api/billing/subscriptions/{id}/scheduled-change', {
        params: { query, path: { id: subscription.id }, header: { 'Idempotency-Key': key } },
      }),
  );
  const command = subscription.waitingCommands.withdraw;
  if (command?.change !== change) return null;
  return (
    <Stack gap="xs">
      <ReasonedButton
        size="xs"
        variant="default"
        reason={command.available ? refusal : command.reason}
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate(undefined)}
      >
        Withdraw the change
      </ReasonedButton>
      {withdraw.isError && <ProblemPanel error={withdraw.error} />}
    </Stack>
  );
}
