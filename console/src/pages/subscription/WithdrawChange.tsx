import { useDisclosure } from '@mantine/hooks';
import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ConfirmCommand } from './ConfirmCommand';

interface WithdrawChangeProps {
  subscription: Subscription;
  /** The waiting change next to which it is shown. If there are two, the one not yet approved is withdrawn. */
  change: 'approval' | 'scheduled';
}

/** Withdraws a waiting change, or explains why that is not possible. */
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
