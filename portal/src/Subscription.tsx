import { Actions } from './Actions';
import { Notices } from './Notices';
import { priceInWords, statusInWords, waitingInWords } from './strings';
import type { PortalSubscription, PortalView } from './types';
import type { CommandCallbacks } from './use-command';

/** A subscription: plan and price, what it waits for, and its actions. */
export function Subscription(props: {
  subscription: PortalSubscription;
  shows: PortalView['shows'];
  merchant: string;
  callbacks: CommandCallbacks;
}) {
  const { subscription } = props;
  const waiting = waitingInWords(subscription);
  const heading = `plan-${subscription.id}`;
  return (
    <section class="card" aria-labelledby={heading}>
      <div class="title">
        <h2 id={heading}>
          <bdi>{subscription.plan.name}</bdi>
        </h2>
        <span class={`status ${subscription.status}`}>{statusInWords(subscription)}</span>
      </div>
      <p class="price">{priceInWords(subscription)}</p>
      {waiting !== null && (
        <p class="waits">
          <bdi>{waiting}</bdi>
        </p>
      )}
      <Notices {...props} />
      <Actions {...props} />
    </section>
  );
}
