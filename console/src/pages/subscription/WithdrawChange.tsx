import type { Subscription } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { ReasonedButton } from '../../ui/ReasonedButton';

interface WithdrawChangeProps {
  subscription: Subscription;
  /** The waiting change next to which it is shown. If there are two, the one not yet approved is withdrawn. */
  change: 'approval' | 'scheduled';
  /** Asks for the confirmation. */
  onAsk: () => void;
}

/** Withdraws a waiting change, or explains why that is not possible. */
export function WithdrawChange({ subscription, change, onAsk }: WithdrawChangeProps) {
  const refusal = useRefusal('developer');
  const command = subscription.waitingCommands.withdraw;
  if (command?.change !== change) return null;
  return (
    <ReasonedButton
      size="xs"
      variant="default"
      reason={command.available ? refusal : command.reason}
      onClick={onAsk}
    >
      Withdraw the change
    </ReasonedButton>
  );
}
