import { randomUUID } from 'node:crypto';
import { createGroup, idOf, planBody } from '../catalog/offer';
import type { ConsoleAnswer, OperatorClient } from './operator';

/** Creates a plan in a group. `amount`: minor units of `currency`, per month and seat unless `members` differ. */
export async function planIn(
  client: OperatorClient,
  planGroupId: string,
  slug: string,
  amount: string,
  members: { currency?: string } & Record<string, unknown> = {},
): Promise<string> {
  const { currency = 'USD', ...rest } = members;
  const body = planBody(planGroupId, { slug, price: { amount, currency }, pricing: 'per_seat', ...rest });
  return idOf(await client.post('/api/plans', { body }));
}

/** Creates a group with a small and a large plan, both per seat. */
export async function twoPlans(
  client: OperatorClient,
): Promise<{ group: string; starter: string; pro: string; starterSlug: string; proSlug: string }> {
  const group = await createGroup(client);
  const suffix = randomUUID().slice(0, 8);
  const [starterSlug, proSlug] = [`starter-${suffix}`, `pro-${suffix}`];
  const starter = await planIn(client, group, starterSlug, '1000');
  const pro = await planIn(client, group, proSlug, '3000');
  return { group, starter, pro, starterSlug, proSlug };
}

/** Sends a command on a subscription, with a new idempotency key unless one is given. */
export function command(
  client: OperatorClient,
  subscriptionId: string,
  what: 'cancel' | 'reactivate' | 'change',
  options: { body?: object; key?: string; query?: Record<string, string> } = {},
): Promise<ConsoleAnswer> {
  const { body, key = randomUUID(), query } = options;
  return client.post(`/api/billing/subscriptions/${subscriptionId}/${what}`, {
    headers: { 'Idempotency-Key': key },
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
  });
}

/** Previews a change; sends no idempotency key. */
export function preview(
  client: OperatorClient,
  subscriptionId: string,
  body: object,
): Promise<ConsoleAnswer> {
  return client.post(`/api/billing/subscriptions/${subscriptionId}/change`, {
    body,
    query: { dryRun: 'true' },
  });
}

export function withdraw(client: OperatorClient, subscriptionId: string): Promise<ConsoleAnswer> {
  return client.delete(`/api/billing/subscriptions/${subscriptionId}/scheduled-change`);
}

/** Returns the rows of a list response. */
export function dataOf(answer: ConsoleAnswer): Record<string, unknown>[] {
  return answer.body['data'] as Record<string, unknown>[];
}

/** Returns the kinds of a subscription's history entries, oldest first. */
export async function historyOf(client: OperatorClient, subscriptionId: string): Promise<unknown[]> {
  const timeline = await client.get(`/api/billing/subscriptions/${subscriptionId}/timeline`);
  return dataOf(timeline)
    .map((entry) => entry['kind'])
    .reverse();
}
