import type { Subscription } from '../../api/resources';
import { Sentence } from '../../ui/Sentence';
import { Time } from '../../ui/Time';
import { preparationOf } from './preparation';
import { RetryNow } from './RetryNow';
import { Wait } from './Wait';

/** Progress of the provider's preparation for the next renewal; a failure with its reason and the next retry. */
export function PreparationWait({ subscription }: { subscription: Subscription }) {
  const preparation = preparationOf(subscription);
  if (preparation === null) return null;
  const { state, boundary, attempts, reason, retryAt } = preparation;
  switch (state) {
    case 'prepared':
      return (
        <Wait color="teal" title="Prepared for the renewal">
          The payment provider has the new price, and charges it on <Time at={boundary} />.
        </Wait>
      );
    case 'claimed':
      return (
        <Wait
          color="yellow"
          title="Being prepared for the renewal"
          action={<RetryNow subscription={subscription} />}
        >
          The new price is sent to the payment provider before <Time at={boundary} />; it has not confirmed it
          yet.
        </Wait>
      );
    case 'failed':
      return (
        <Wait
          color="red"
          title="The renewal could not be prepared"
          action={<RetryNow subscription={subscription} />}
        >
          {reason !== null && <Sentence text={reason} />} Tried{' '}
          {attempts === 1 ? 'once' : `${attempts} times`}.{' '}
          {retryAt === null ? (
            'The current plan renews, and the change moves to the renewal after it.'
          ) : (
            <>
              The next try is on <Time at={retryAt} />.
            </>
          )}
        </Wait>
      );
  }
}
