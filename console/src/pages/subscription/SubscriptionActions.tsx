import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { CapabilityButton } from '../../ui/CapabilityButton';
import { Panel } from '../../ui/Panel';
import { timeInSentence } from '../../ui/time';
import { AdvanceClock } from './AdvanceClock';
import { ChangeDialog } from './ChangeDialog';
import { ConfirmCommand } from './ConfirmCommand';

/** The four commands on a subscription, each with its timing or the reason why it is unavailable. */
export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const { env } = useWorkspace();
  const { cancel, reactivate, planChange, seatChange } = subscription.capabilities;
  const [changing, change] = useDisclosure(false);
  const [cancelling, cancelDialog] = useDisclosure(false);
  const [reactivating, reactivateDialog] = useDisclosure(false);
  const until = timeInSentence(subscription.currentPeriodEnd, 'day');
  return (
    <Panel title="Actions" actions={env === 'sandbox' && <AdvanceClock />}>
      <Group align="flex-start" gap="md">
        <CapabilityButton capability={planChange} until={until} onClick={change.open}>
          Change plan
        </CapabilityButton>
        <CapabilityButton capability={seatChange} until={until} variant="default" onClick={change.open}>
          Change seats
        </CapabilityButton>
        <CapabilityButton
          capability={reactivate}
          until={until}
          variant="default"
          onClick={reactivateDialog.open}
        >
          Reactivate
        </CapabilityButton>
        <CapabilityButton
          capability={cancel}
          until={until}
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          onClick={cancelDialog.open}
        >
          Cancel
        </CapabilityButton>
      </Group>
      {changing && <ChangeDialog subscription={subscription} onClose={change.close} />}
      {cancelling && (
        <ConfirmCommand
          subscription={subscription}
          command="cancel"
          timing={cancel.timing}
          onClose={cancelDialog.close}
        />
      )}
      {reactivating && (
        <ConfirmCommand subscription={subscription} command="reactivate" onClose={reactivateDialog.close} />
      )}
    </Panel>
  );
}
