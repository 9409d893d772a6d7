import { useQuery } from '@tanstack/react-query';
import { paidUntil } from '../../../../src/domain/subscription-access.ts';
import { clockQuery } from '../../app/clock-query';
import { useWorkspace } from '../../app/workspace';
import { PlaceOf } from '../../ui/PlaceOf';
import { Time } from '../../ui/Time';

/** Since when a subscription is past due, or until when it is paid. Empty until the workspace's time is known. */
export function PastDueSince({ since }: { since: string }) {
  const { query } = useWorkspace();
  const clock = useQuery(clockQuery(query));
  if (clock.data === undefined)
    return clock.isFetched ? null : (
      <PlaceOf>
        <UnpaidSince since={since} />
      </PlaceOf>
    );
  if (paidUntil({ pastDueSince: Date.parse(since) }, Date.parse(clock.data.now)) !== null) {
    return (
      <>
        Payments are suspended at the payment provider. It is paid until <Time at={since} />.
      </>
    );
  }
  return <UnpaidSince since={since} />;
}

function UnpaidSince({ since }: { since: string }) {
  return (
    <>
      Unpaid since <Time at={since} />.
    </>
  );
}
