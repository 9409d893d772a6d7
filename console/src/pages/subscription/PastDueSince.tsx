import { useQuery } from '@tanstack/react-query';
import { clockQuery } from '../../app/clock-query';
import { useWorkspace } from '../../app/workspace';
import { Time } from '../../ui/Time';

/**
 * Since when a subscription is past due. An instant in the future means that provider B's payments were suspended in a
 * period that is paid. Empty until the workspace's time is known.
 */
export function PastDueSince({ since }: { since: string }) {
  const { query } = useWorkspace();
  const clock = useQuery(clockQuery(query));
  if (clock.data === undefined) return null;
  if (Date.parse(clock.data.now) < Date.parse(since)) {
    return (
      <>
        Payments are suspended at the payment provider. It is paid until <Time at={since} />.
      </>
    );
  }
  return (
    <>
      Unpaid since <Time at={since} />.
    </>
  );
}
