import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Plan, Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';

/** The plans that a subscription can change to, its own first. */
export function usePlansOfGroup(
  subscription: Subscription,
): Pick<Plan, 'id' | 'name' | 'price' | 'interval'>[] {
  const { query } = useWorkspace();
  const { data } = useQuery({
    queryKey: ['plans', query, { planGroupId: subscription.planGroupId }],
    queryFn: () =>
      bodyOf(
        api.GET('/api/plans', {
          params: { query: { ...query, planGroupId: subscription.planGroupId, take: 200 } },
        }),
      ),
  });
  const own = { ...subscription.plan, price: subscription.price, interval: subscription.interval };
  const others = (data?.data ?? []).filter(({ id, archivedAt }) => id !== own.id && archivedAt === null);
  return [own, ...others];
}
