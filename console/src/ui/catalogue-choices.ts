import { isOnSale } from '../../../src/domain/plan-sale.ts';
import { api, bodyOf } from '../api/client';
import { ProblemError } from '../api/problem';
import { readMatching } from '../api/read-all';
import type { Feature, Plan, PlanGroup } from '../api/resources';
import type { useWorkspace } from '../app/workspace';
import { isolate } from './isolate';
import { formatPrice } from './price';
import type { Choices } from './SearchSelect';

type Query = ReturnType<typeof useWorkspace>['query'];

const TAKE = 50;

/** Choices of plans, labeled with name and price. */
type PlanChoices = Omit<Choices<Plan>, 'toChoice'> & {
  toChoice: Choices<Pick<Plan, 'id' | 'name' | 'price' | 'interval' | 'pricing'>>['toChoice'];
};

/** Choices of plans on sale, by id. */
export function planChoices(query: Query, filter: { planGroupId?: string } = {}): PlanChoices {
  return {
    queryKey: ['plans', query, 'choice', filter],
    find: (search) => findPlans(query, { ...filter, ...(search !== undefined && { search }) }),
    read: (id) => readPlan(query, id),
    toChoice: (plan) => ({ value: plan.id, label: `${isolate(plan.name)}, ${formatPrice(plan)}` }),
  };
}

/**
 * Choices of plans on sale, by slug. A plan that a connection names by its id, even an archived or deleted one, keeps
 * that name.
 */
export function planNameChoices(query: Query, named: string): Choices<Plan | string> {
  return {
    queryKey: ['plans', query, 'reference', named],
    find: (search) => findPlans(query, search === undefined ? {} : { search }),
    read: async (name) => (await readPlan(query, name)) ?? name,
    toChoice: (plan) =>
      typeof plan === 'string'
        ? { value: plan, label: plan }
        : {
            value: named === plan.id ? plan.id : plan.slug,
            label: `${isolate(plan.name)} (${plan.slug}), ${formatPrice(plan)}`,
          },
  };
}

/** @param id the id or slug */
function readPlan(query: Query, id: string): Promise<Plan | undefined> {
  const params = { query, path: { id } };
  return orNone(bodyOf(api.GET('/api/plans/{id}', { params })), 'plan_not_found');
}

/** Finds the newest plans on sale. Further pages are read if plans are skipped because their group is archived. */
function findPlans(query: Query, filter: { planGroupId?: string; search?: string }): Promise<Plan[]> {
  const all = { ...query, ...filter, archived: 'false', take: TAKE } as const;
  return readMatching(
    (cursor) => bodyOf(api.GET('/api/plans', { params: { query: { ...all, ...(cursor && { cursor }) } } })),
    isOnSale,
    TAKE,
  );
}

/** Choices of plan groups that accept plans, by id. */
export function planGroupChoices(query: Query, filter: { archived?: 'false' } = {}): Choices<PlanGroup> {
  return {
    queryKey: ['plan-groups', query, 'choice', filter],
    find: async (search) => {
      const params = { query: { ...query, ...filter, ...(search !== undefined && { search }), take: TAKE } };
      return (await bodyOf(api.GET('/api/plan-groups', { params }))).data;
    },
    read: (id) =>
      orNone(
        bodyOf(api.GET('/api/plan-groups/{id}', { params: { query, path: { id } } })),
        'plan_group_not_found',
      ),
    toChoice: ({ id, name }) => ({ value: id, label: name }),
  };
}

/** Choices of features that are not archived, by id. */
export function featureChoices(query: Query): Choices<Feature> {
  return {
    queryKey: ['features', query, 'choice'],
    find: (search) => findFeatures(query, { archived: 'false', ...(search !== undefined && { search }) }),
    read: (id) =>
      orNone(bodyOf(api.GET('/api/features/{id}', { params: { query, path: { id } } })), 'feature_not_found'),
    toChoice: ({ id, name, key }) => ({ value: id, label: `${isolate(name)} (${key})` }),
  };
}

/** Choices of metered features, including archived ones, by key. */
export function meteredChoices(query: Query): Choices<Feature> {
  return {
    queryKey: ['features', query, 'metered'],
    find: async (search) =>
      (await findFeatures(query, search === undefined ? {} : { search })).filter(
        ({ kind }) => kind === 'metered',
      ),
    // A search also finds keys that contain it.
    read: async (wanted) => {
      const [found] = await readMatching(
        (cursor) =>
          bodyOf(
            api.GET('/api/features', {
              params: { query: { ...query, search: wanted, take: 200, ...(cursor && { cursor }) } },
            }),
          ),
        ({ key }) => key === wanted,
        1,
      );
      return found;
    },
    toChoice: ({ key, name }) => ({ value: key, label: isolate(name) }),
  };
}

async function findFeatures(
  query: Query,
  filter: { archived?: 'false'; search?: string },
): Promise<Feature[]> {
  const params = { query: { ...query, ...filter, take: 200 } };
  return (await bodyOf(api.GET('/api/features', { params }))).data;
}

/** Returns the body; undefined if the API reports that it does not exist. */
async function orNone<Body>(answer: Promise<Body>, code: string): Promise<Body | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === code) return undefined;
    throw error;
  }
}
