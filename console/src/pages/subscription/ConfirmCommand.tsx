import { Stack, Text } from '@mantine/core';
import { api } from '../../api/client';
import type { Capability, Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { timeInSentence } from '../../ui/time';
import { AccessWhilePastDue } from './AccessWhilePastDue';
import { useSubscriptionCommand } from './use-subscription-command';
import { Dialog } from '../../ui/Dialog';
import { countInWords } from '../../../../src/domain/count-in-words.ts';
import { DialogActions } from '../../ui/DialogActions';

interface ConfirmCommandProps {
  subscription: Subscription;
  command: 'cancel' | 'reactivate' | 'withdraw';
  /** For a cancellation. */
  timing?: Capability['timing'];
  onClose: () => void;
}

/** Explains the effect of a cancellation, a reactivation or the withdrawal of a change, and sends it. */
export function ConfirmCommand({ subscription, command, timing = null, onClose }: ConfirmCommandProps) {
  const { query } = useWorkspace();
  const send = useSubscriptionCommand<undefined>(onClose, (key) => {
    const params = { query, path: { id: subscription.id }, header: { 'Idempotency-Key': key } };
    switch (command) {
      case 'cancel':
        return api.POST('/api/billing/subscriptions/{id}/cancel', { params });
      case 'reactivate':
        return api.POST('/api/billing/subscriptions/{id}/reactivate', { params });
      case 'withdraw':
        return api.DELETE('/api/billing/subscriptions/{id}/scheduled-change', { params });
    }
  });
  const words = wordsOf(command, timing, subscription);
  const { pastDueSince } = subscription;
  return (
    <Dialog isBusy={send.isPending} isDone={send.isDone} opened onClose={onClose} title={words.title}>
      <Stack>
        <Text size="sm">
          {words.effect}{' '}
          {command === 'cancel' && timing === 'period_end' && pastDueSince !== null && (
            <AccessWhilePastDue since={pastDueSince} />
          )}
        </Text>
        <DialogActions
          action={send}
          submit={words.button}
          onSubmit={() => send.mutate(undefined)}
          isDestructive={command === 'cancel'}
          cancel="Leave it as it is"
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  );
}

function wordsOf(
  command: ConfirmCommandProps['command'],
  timing: Capability['timing'],
  { externalId, plan, seats, currentPeriodEnd, pastDueSince, pendingApproval }: Subscription,
): { title: string; effect: string; button: string } {
  const end = timeInSentence(currentPeriodEnd, 'minute');
  if (command === 'reactivate')
    return {
      title: 'Reactivate the subscription',
      effect: `The cancellation is withdrawn: ${isolate(plan.name)} for ${isolate(externalId)} renews on ${end}.`,
      button: 'Reactivate',
    };
  if (command === 'withdraw')
    return {
      title: 'Withdraw the change',
      effect: `${isolate(externalId)} stays on ${isolate(plan.name)} with ${countInWords(seats, 'seat')}.${pendingApproval === null ? '' : ' The customer can no longer approve the change.'}`,
      button: 'Withdraw the change',
    };
  return timing === 'period_end'
    ? {
        title: 'Cancel at the end of the period',
        effect:
          pastDueSince === null
            ? `${isolate(externalId)} keeps ${isolate(plan.name)} until ${end}. Then it ends and does not renew.`
            : `${isolate(plan.name)} for ${isolate(externalId)} ends on ${end} and does not renew.`,
        button: `Cancel on ${timeInSentence(currentPeriodEnd, 'day')}`,
      }
    : {
        title: 'Cancel at once',
        effect: `${isolate(externalId)} loses access to ${isolate(plan.name)} with the next call. What is paid is not refunded by this.`,
        button: 'Cancel now',
      };
}
