import { useQueries, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Feature, Plan, PlanEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';

export interface Grid {
  plans: Plan[];
  features: Feature[];
  /** Undefined where the plan does not include the feature. */
  find: (plan: Plan, feature: Feature) => PlanEntitlement | undefined;
}

/** The plans on sale of a group, the features, and what each plan includes of each. */
export function useGrid(planGroupId: string): { grid?: Grid; error: Error | null } {
  const { query } = useWorkspace();
  const plans = useQuery({
    queryKey: ['plans', query, { planGroupId, archived: false }],
    queryFn: () =>
      bodyOf(
        api.GET('/api/plans', { params: { query: { ...query, planGroupId, archived: 'false', take: 200 } } }),
      ),
  });
  const features = useQuery({
    queryKey: ['features', query, 'grid'],
    queryFn: () => bodyOf(api.GET('/api/features', { params: { query: { ...query, take: 200 } } })),
  });
  const entitlements = useQueries({
    queries: (plans.data?.data ?? []).map(({ id }) => ({
      queryKey: ['entitlements', query, id, 'grid'],
      queryFn: () =>
        bodyOf(
          api.GET('/api/plans/{id}/entitlements', {
            params: { query: { ...query, take: 200 }, path: { id } },
          }),
        ),
    })),
  });
  const all = [plans, features, ...entitlements];
  const error = all.find((part) => part.isError)?.error ?? null;
  if (plans.data === undefined || features.data === undefined || all.some((part) => part.isPending))
    return { error };
  const granted = entitlements.flatMap(({ data }) => data?.data ?? []);
  const find: Grid['find'] = (plan, feature) =>
    granted.find((known) => known.planId === plan.id && known.feature.id === feature.id);
  // An archived feature stays in the plans that include it.
  const shown = features.data.data.filter(
    ({ id, archivedAt }) => archivedAt === null || granted.some(({ feature }) => feature.id === id),
  );
  return { grid: { plans: plans.data.data, features: shown, find }, error };
}
