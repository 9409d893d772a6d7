import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { OPEN_SUBSCRIPTION_STATUSES } from '../../../../src/domain/subscription-types.ts';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';

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
  const { data } = useQuery({
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
  if (data === undefined) return null;
  const count = data.reduce((sum, page) => sum + page.data.length, 0);
  const hasMore = data.some((page) => page.hasMore);
  return (
    <Text size="sm" role="note">
      <b>
        {count === 1
          ? '1 active subscription uses this.'
          : `${hasMore ? 'At least ' : ''}${count} active subscriptions use this.`}
      </b>{' '}
      {children}
    </Text>
  );
}
