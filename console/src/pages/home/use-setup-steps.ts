import { useQueries } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { readMatching } from '../../api/read-all';
import { useWorkspace, type Workspace } from '../../app/workspace';

/** A step of setting up a workspace. */
export interface SetupStep {
  title: string;
  about: string;
  /** Where it is done, relative to the workspace's path; null if a program does it. */
  path: string | null;
  isDone: boolean;
}

interface Question {
  title: string;
  about: string;
  path: string | null;
  /** Reads whether there is one. */
  ask: () => Promise<{ data: unknown[] }>;
}

/** Reads from the API which steps are done. A step is done once there is one item of its kind. */
export function useSetupSteps(): { steps: SetupStep[]; isPending: boolean; error: Error | null } {
  const { query } = useWorkspace();
  const params = { query: { ...query, take: 1 } };
  const first: Question[] = [
    {
      title: 'Make a plan group',
      about: 'A group holds alternative plans: a customer has at most one of them.',
      path: '/catalogue',
      ask: () => bodyOf(api.GET('/api/plan-groups', { params })),
    },
    {
      title: 'Make a plan',
      about: 'A price for an interval, flat or for each seat.',
      path: '/catalogue',
      ask: () => bodyOf(api.GET('/api/plans', { params })),
    },
    {
      title: 'Make a feature',
      about: 'What your application asks about: counted against a quota, or on and off.',
      path: '/catalogue',
      ask: () => bodyOf(api.GET('/api/features', { params })),
    },
    {
      title: 'Entitle the plan to the feature',
      about: 'How much of the feature the plan includes.',
      path: '/catalogue',
      ask: () => findEntitledPlan(query),
    },
    {
      title: 'Create a customer',
      about: 'Named by your own id, which usage calls use.',
      path: '/customers',
      ask: () => bodyOf(api.GET('/api/customers', { params })),
    },
    {
      title: 'Start a subscription',
      about: 'By a checkout at a payment provider, or with local billing.',
      path: '/subscriptions',
      ask: () => bodyOf(api.GET('/api/billing/subscriptions', { params })),
    },
    {
      title: 'Create an API key',
      about: 'The secret key with which your servers call check and track.',
      path: '/developer/api-keys',
      ask: () => bodyOf(api.GET('/api/api-keys', { params })),
    },
    {
      title: 'Call check',
      about: 'Before expensive work: may this customer use it?',
      path: '/events',
      ask: () =>
        bodyOf(
          api.GET('/api/developer-events', {
            params: { query: { ...params.query, eventType: 'USAGE_CHECKED' } },
          }),
        ),
    },
    {
      title: 'Call track',
      about: 'After it: this much was used.',
      path: '/events',
      ask: () =>
        bodyOf(
          api.GET('/api/developer-events', {
            params: { query: { ...params.query, eventType: 'USAGE_TRACKED' } },
          }),
        ),
    },
  ];
  const answers = useQueries({
    queries: first.map(({ title, ask }) => ({
      queryKey: ['setup', query, title],
      queryFn: async () => (await ask()).data.length > 0,
    })),
  });
  return {
    steps: first.map(({ title, about, path }, index) => ({
      title,
      about,
      path,
      isDone: answers[index]?.data === true,
    })),
    isPending: answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** Finds a plan with an entitlement, anywhere in the list. */
async function findEntitledPlan(query: Workspace['query']): Promise<{ data: unknown[] }> {
  const data = await readMatching(
    (cursor) =>
      bodyOf(
        api.GET('/api/plans', { params: { query: { ...query, take: 200, ...(cursor && { cursor }) } } }),
      ),
    ({ entitlements }) => entitlements.length > 0,
    1,
  );
  return { data };
}
