import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { OPEN_SUBSCRIPTION_STATUSES } from '../../../../src/domain/subscription-types.ts';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { PlaceOf } from '../../ui/PlaceOf';

/** Maximum number of subscriptions counted in each state. */
const MAX_COUNTED = 200;

interface SubscribersNoteProps {
  planId: string;
  /** When a change applies to them. */
  children: string;
}

/** Shows how many subscriptions a change of a plan affects, and when; of many, at least how many. */
export function SubscribersNote({ planId, children }: SubscribersNoteProps) {
  const { query } = useWorkspace();
  const { data, isPending } = useQuery({
    queryKey: ['subscriptions', query, { planId }, 'count'],
    queryFn: () =>
      Promise.all(
        OPEN_SUBSCRIPTION_STATUSES.map((status) =>
          bodyOf(
            api.GET('/api/billing/subscriptions', {
              params: { query: { ...query, planId, status, take: MAX_COUNTED } },
            }),
          ),
        ),
      ),
  });
  const words = (
    <>
      <b>{data === undefined ? 'Active subscriptions may use this.' : usesInWords(data)}</b> {children}
    </>
  );
  return (
    <Text size="sm" role="note">
      {isPending ? <PlaceOf>{words}</PlaceOf> : words}
    </Text>
  );
}

function usesInWords(pages: { data: unknown[]; hasMore: boolean }[]): string {
  const count = pages.reduce((sum, page) => sum + page.data.length, 0);
  if (count === 1) return '1 active subscription uses this.';
  const hasMore = pages.some((page) => page.hasMore);
  return `${hasMore ? 'At least ' : ''}${count} active subscriptions use this.`;
}
