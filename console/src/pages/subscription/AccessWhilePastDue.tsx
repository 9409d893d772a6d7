import { useQuery } from '@tanstack/react-query';
import { graceEndsAt } from '../../../../src/domain/subscription-access.ts';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { PlaceOf } from '../../ui/PlaceOf';
import { Time } from '../../ui/Time';
import { clockQuery } from '../../app/clock-query';

/** Access of a past-due subscription, given the days of grace in the settings. Empty until they are known. */
export function AccessWhilePastDue({ since }: { since: string }) {
  const { query } = useWorkspace();
  const settings = useQuery({
    queryKey: ['settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/settings', { params: { query } })),
  });
  const clock = useQuery(clockQuery(query));
  if (settings.data === undefined || clock.data === undefined)
    return settings.isFetched && clock.isFetched ? null : (
      <PlaceOf>
        <AccessUntil end={since} />
      </PlaceOf>
    );
  const end = graceEndsAt(Date.parse(since), settings.data);
  if (Date.parse(clock.data.now) >= end) return 'Access is denied until it is paid.';
  return <AccessUntil end={new Date(end).toISOString()} />;
}

function AccessUntil({ end }: { end: string }) {
  return (
    <>
      Access is given until <Time at={end} />, and denied then unless it is paid.
    </>
  );
}
