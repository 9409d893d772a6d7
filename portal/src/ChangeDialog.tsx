import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './Dialog';
import { PlanChoice, SeatChoice, seatsOf } from './choices';
import { Preview } from './Preview';
import { change, confirmChange, done, planPrice } from './strings';
import type { PortalChangeBody, PortalPreview, PortalSubscription } from './types';
import { useCommand, type CommandCallbacks } from './use-command';
import { usePreview } from './use-preview';

/** Changes the plan or the number of seats, and shows the effect beforehand. */
export function ChangeDialog(props: {
  what: 'plan' | 'seats';
  subscription: PortalSubscription;
  callbacks: CommandCallbacks;
  onClose: () => void;
}) {
  const { what, subscription, callbacks, onClose } = props;
  const [picked, setPicked] = useState<string | null>(null);
  const [seats, setSeats] = useState(String(subscription.seats));
  const { busy, problem, send } = useCommand(subscription.id, 'change', callbacks, doneInWords);
  // The operator may have archived it since.
  const plan = busy || subscription.plans.some(({ slug }) => slug === picked) ? picked : null;
  const body = what === 'plan' ? planBody(plan) : seatsBody(seats, subscription.seats);
  // Another tab, the application or time may change the subscription concurrently. The agreed preview stays unchanged
  // while the change is being sent.
  const found = usePreview(subscription.id, body, busy ? null : JSON.stringify(subscription));
  const preview = found.state === 'found' ? found.preview : null;
  const result = useRef<HTMLDivElement>(null);
  return (
    <Dialog title={change.titles[what]} busy={busy} onClose={onClose}>
      <p class="hint">
        <bdi>{change.current(subscription.plan.name, planPrice(subscription, subscription))}</bdi>
      </p>
      {what === 'plan' ? (
        <PlanChoice subscription={subscription} chosen={plan} onChoose={setPicked} />
      ) : (
        <SeatChoice typed={seats} now={subscription.seats} onType={setSeats} />
      )}
      <div ref={result} class="result" aria-live="polite" tabIndex={-1}>
        {found.state === 'none' && <p class="hint">{what === 'plan' ? change.pick : change.pickSeats}</p>}
        {found.state === 'looking' && <p class="hint">{change.looking}</p>}
        {found.state === 'refused' && <p class="problem">{found.words}</p>}
        {preview !== null && <Preview preview={preview} />}
      </div>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="choice">
        {preview !== null && body !== null && (
          <ConfirmButton
            busy={busy}
            label={confirmChange(preview)}
            onPress={() => send({ ...body, shown: shownOf(preview) })}
            next={result}
          />
        )}
        <button type="button" aria-disabled={busy} onClick={() => !busy && onClose()}>
          {change.keep}
        </button>
      </div>
    </Dialog>
  );
}

/** Makes the change. After a refusal, it is removed while the effect is calculated again. */
function ConfirmButton(props: {
  busy: boolean;
  label: string;
  onPress: () => void;
  /** Gets the focus if the button is removed while it has it. */
  next: RefObject<HTMLElement>;
}) {
  const { busy, label, onPress, next } = props;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const [element, after] = [button.current, next.current];
    return () => {
      if (document.activeElement !== element) return;
      queueMicrotask(() => {
        if (document.activeElement === document.body) after?.focus();
      });
    };
  }, [next]);
  return (
    <button ref={button} type="button" class="primary" aria-busy={busy} onClick={onPress}>
      {label}
    </button>
  );
}

/** Returns the terms that the customer agrees to by pressing the button. */
function shownOf(preview: PortalPreview): Required<PortalChangeBody>['shown'] {
  const { effective, effectiveAt, dueNow, withdraws } = preview;
  return { effective, effectiveAt, dueNow: dueNow.amount, withdraws };
}

function planBody(planSlug: string | null): PortalChangeBody | null {
  return planSlug === null ? null : { planSlug };
}

function seatsBody(typed: string, now: number): PortalChangeBody | null {
  const seats = seatsOf(typed);
  return seats === null || seats === now ? null : { seats };
}

function doneInWords({
  effective,
  effectiveAt,
  requiresCustomerAction,
}: Pick<PortalPreview, 'effective' | 'effectiveAt'> & { requiresCustomerAction: boolean }): string {
  if (requiresCustomerAction || effective === 'after_confirmation') return done.asked;
  return effective === 'immediate' ? done.change : done.planned(effectiveAt);
}
