import { Dialog } from './Dialog';
import { cancel, done, reactivate, withdraw } from './strings';
import type { PortalSubscription } from './types';
import { useCommand, type CommandCallbacks } from './use-command';

type Name = 'cancel' | 'reactivate' | 'withdraw';

interface Words {
  title: string;
  about: readonly string[];
  confirm: string;
  keep: string;
}

/** Asks for confirmation, and says when the command takes effect. */
export function CommandDialog(props: {
  name: Name;
  subscription: PortalSubscription;
  callbacks: CommandCallbacks;
  onClose: () => void;
}) {
  const { name, subscription, callbacks, onClose } = props;
  const { title, about, confirm, keep } = WORDS[name](subscription);
  const { busy, problem, send } = useCommand(subscription.id, name, callbacks, () => done[name]);
  return (
    <Dialog title={title} busy={busy} onClose={onClose}>
      {about.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="choice">
        <button
          type="button"
          class={name === 'cancel' ? 'danger filled' : 'primary'}
          aria-busy={busy}
          onClick={() => send({})}
        >
          {confirm}
        </button>
        <button type="button" aria-disabled={busy} onClick={() => !busy && onClose()}>
          {keep}
        </button>
      </div>
    </Dialog>
  );
}

const WORDS: Record<Name, (subscription: PortalSubscription) => Words> = {
  cancel: ({ capabilities, currentPeriodEnd, status }) => {
    const { title, keep, confirm } = cancel;
    if (capabilities.cancel.timing !== 'immediate')
      return {
        title,
        keep,
        about: [
          status === 'past_due'
            ? cancel.whilePastDue(currentPeriodEnd)
            : cancel.atPeriodEnd(currentPeriodEnd),
        ],
        confirm: confirm.atPeriodEnd(currentPeriodEnd),
      };
    const about = [
      cancel.immediate,
      // Nothing is paid before a trial ends.
      ...(status === 'trialing' ? [] : [cancel.notRefunded]),
      ...(capabilities.reactivate.supported ? [] : [cancel.final]),
    ];
    return { title, keep, about, confirm: confirm.immediate };
  },
  reactivate: ({ currentPeriodEnd }) => ({ ...reactivate, about: [reactivate.about(currentPeriodEnd)] }),
  withdraw: () => ({ ...withdraw, about: [withdraw.about] }),
};
