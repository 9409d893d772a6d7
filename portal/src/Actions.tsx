import { useState } from 'preact/hooks';
import { ChangeDialog } from './ChangeDialog';
import { CommandDialog } from './CommandDialog';
import { ReasonedButton } from './ReasonedButton';
import { actions } from './strings';
import type { PortalSubscription, PortalView } from './types';
import type { CommandCallbacks } from './use-command';

type Act = 'plan' | 'seats' | 'cancel' | 'reactivate' | 'withdraw';

/** Actions of a subscription. Unavailable ones say why. */
export function Actions(props: {
  subscription: PortalSubscription;
  shows: PortalView['shows'];
  callbacks: CommandCallbacks;
}) {
  const { subscription, shows } = props;
  const { capabilities, plans, scheduledChange, mayWithdraw, withdrawReason, waitsFor, endsAt } =
    subscription;
  const [act, setAct] = useState<Act | null>(null);
  const callbacks: CommandCallbacks = {
    onSent: props.callbacks.onSent,
    onDone: (words) => {
      setAct(null);
      props.callbacks.onDone(words);
    },
    onUnderWay: (operationId) => {
      setAct(null);
      props.callbacks.onUnderWay(operationId);
    },
  };
  const { planChange, seatChange, cancel, reactivate } = capabilities;
  // Reactivation applies only to a cancelled subscription, and is offered in place of another cancellation.
  // One that is past due as well waits for its payment first.
  const ends = waitsFor === 'end' || waitsFor === null || Boolean(endsAt);
  const planReason = planChange.available && plans.length === 0 ? actions.noPlans : planChange.reason;
  return (
    <div class="actions">
      {mayWithdraw && (
        <ReasonedButton
          label={scheduledChange === null ? actions.withdrawRequest : actions.withdrawChange}
          reason={withdrawReason}
          onPress={() => setAct('withdraw')}
        />
      )}
      {shows.includes('planChange') && waitsFor !== null && (
        <ReasonedButton label={actions.plan} reason={planReason} onPress={() => setAct('plan')} />
      )}
      {shows.includes('seatChange') && waitsFor !== null && (
        <ReasonedButton label={actions.seats} reason={seatChange.reason} onPress={() => setAct('seats')} />
      )}
      {shows.includes('reactivate') && ends && (
        <ReasonedButton
          label={actions.reactivate}
          reason={reactivate.reason}
          onPress={() => setAct('reactivate')}
        />
      )}
      {shows.includes('cancel') && !ends && (
        <ReasonedButton
          label={actions.cancel}
          reason={cancel.reason}
          danger
          onPress={() => setAct('cancel')}
        />
      )}
      {(act === 'plan' || act === 'seats') && (
        <ChangeDialog
          what={act}
          subscription={subscription}
          callbacks={callbacks}
          onClose={() => setAct(null)}
        />
      )}
      {act !== null && act !== 'plan' && act !== 'seats' && (
        <CommandDialog
          name={act}
          subscription={subscription}
          callbacks={callbacks}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  );
}
