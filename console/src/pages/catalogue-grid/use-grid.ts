import { useInfiniteQuery, useQueries, type QueryKey } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Feature, Page, Plan, PlanEntitlement } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { readAll } from '../../api/read-all';
import { useOlder } from '../../ui/use-older';

/** A part of a list that is read page by page. */
interface Part<Item> {
  items: Item[];
  /** Number of pages read. */
  pages: number;
  hasMore: boolean;
  isLoading: boolean;
  loadMore: () => void;
}

export interface Grid {
  plans: Part<Plan>;
  features: Part<Feature>;
  /** Undefined if the plan does not include the feature. */
  find: (plan: Plan, feature: Feature) => PlanEntitlement | undefined;
}

/** Page size. Each cell is a separate button, so this limits how many are rendered at once. */
const TAKE = 50;

/** Reads the plans on sale of a group and the features, a page of each at a time, and all entitlements of each plan. */
export function useGrid(planGroupId: string): { grid?: Grid; error: Error | null; retry: () => void } {
  const { query } = useWorkspace();
  const plans = useList(['plans', query, { planGroupId, archived: false }, 'grid'], (cursor) =>
    bodyOf(
      api.GET('/api/plans', {
        params: {
          query: { ...query, planGroupId, archived: 'false', take: TAKE, ...(cursor && { cursor }) },
        },
      }),
    ),
  );
  const features = useList(['features', query, 'grid'], (cursor) =>
    bodyOf(
      api.GET('/api/features', { params: { query: { ...query, take: TAKE, ...(cursor && { cursor }) } } }),
    ),
  );
  const entitlements = useQueries({
    queries: (plans.part?.items ?? []).map(({ id }) => ({
      queryKey: ['entitlements', query, id, 'grid'],
      queryFn: () =>
        readAll((cursor) =>
          bodyOf(
            api.GET('/api/plans/{id}/entitlements', {
              params: { query: { ...query, take: 200, ...(cursor && { cursor }) }, path: { id } },
            }),
          ),
        ),
    })),
  });
  const error = plans.error ?? features.error ?? entitlements.find((one) => one.isError)?.error ?? null;
  const retry = () => {
    for (const list of [
      plans,
      features,
      ...entitlements.map(({ isError, refetch }) => ({ isError, retry: refetch })),
    ])
      if (list.isError) void list.retry();
  };
  if (plans.part === undefined || features.part === undefined) return { error, retry };
  const isReading = entitlements.some((one) => one.isPending);
  if (isReading && plans.part.pages === 1) return { error, retry };
  // The plans of a further page are shown all at once, when their entitlements are known.
  const read = isReading ? (plans.part.pages - 1) * TAKE : plans.part.items.length;
  const known = plans.part.items.slice(0, read).filter((_, place) => entitlements[place]?.data !== undefined);
  const granted = new Map(
    entitlements
      .flatMap(({ data = [] }) => data)
      .map((entitlement) => [`${entitlement.planId} ${entitlement.feature.id}`, entitlement]),
  );
  const included = new Set([...granted.values()].map(({ feature }) => feature.id));
  const find: Grid['find'] = (plan, feature) => granted.get(`${plan.id} ${feature.id}`);
  // An archived feature stays in the plans that include it.
  const items = features.part.items.filter(({ id, archivedAt }) => archivedAt === null || included.has(id));
  return {
    grid: {
      plans: { ...plans.part, items: known, isLoading: plans.part.isLoading || isReading },
      features: { ...features.part, items },
      find,
    },
    error,
    retry,
  };
}

function useList<Item>(queryKey: QueryKey, load: (cursor: string | undefined) => Promise<Page<Item>>) {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
  });
  const older = useOlder(list, queryKey);
  const part: Part<Item> | undefined = list.data && {
    items: list.data.pages.flatMap(({ data }) => data),
    pages: list.data.pages.length,
    hasMore: list.hasNextPage,
    isLoading: older.isBusy,
    loadMore: older.fetch,
  };
  return {
    part,
    error: list.error,
    isError: list.isError,
    retry: () => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
  };
}
