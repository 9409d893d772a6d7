import { useDisclosure } from '@mantine/hooks';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ConfirmCommand } from './ConfirmCommand';

interface WithdrawChangeProps {
  subscription: Subscription;
  /** Beside which it stands: of two, the one that has still to be approved is taken back. */
  change: 'approval' | 'scheduled';
}

/** Takes a change back that waits. Says why it cannot be. */
export function WithdrawChange({ subscription, change }: WithdrawChangeProps) {
  const refusal = useRefusal('developer');
  const [asking, { open, close }] = useDisclosure(false);
  const command = subscription.waitingCommands.withdraw;
  return (
    <>
      {command?.change === change && (
        <ReasonedButton
          size="xs"
          variant="default"
          reason={command.available ? refusal : command.reason}
          onClick={open}
        >
          Withdraw the change
        </ReasonedButton>
      )}
      {asking && <ConfirmCommand subscription={subscription} command="withdraw" onClose={close} />}
    </>
  );
}
