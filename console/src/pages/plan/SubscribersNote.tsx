import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';

/** The states of a subscription that has the plan's price and entitlements. */
const IN_USE = ['trialing', 'active', 'past_due'];

interface SubscribersNoteProps {
  planId: string;
  /** From when a change applies to them. */
  children: string;
}

/** How many subscriptions a change of a plan concerns, as far as the first page tells, and from when. */
export function SubscribersNote({ planId, children }: SubscribersNoteProps) {
  const { query } = useWorkspace();
  const { data } = useQuery({
    queryKey: ['subscriptions', query, { planId, take: 200 }],
    queryFn: () =>
      bodyOf(api.GET('/api/billing/subscriptions', { params: { query: { ...query, planId, take: 200 } } })),
  });
  if (data === undefined) return null;
  const count = data.data.filter(({ status }) => IN_USE.includes(status)).length;
  const many = `${data.hasMore ? 'At least ' : ''}${count}`;
  return (
    <Text size="sm" role="note">
      <b>
        {count === 1 && !data.hasMore
          ? '1 active subscription uses this.'
          : `${many} active subscriptions use this.`}
      </b>{' '}
      {children}
    </Text>
  );
}
