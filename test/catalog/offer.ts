import { randomUUID } from 'node:crypto';
import type { ConsoleAnswer, OperatorClient } from '../support/operator';

/** Returns a name that no other test of the workspace uses. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}

/** Returns the id in an answer; throws unless it succeeded. */
export function idOf(answer: ConsoleAnswer): string {
  if (answer.status !== 200 && answer.status !== 201) {
    throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return String(answer.body['id']);
}

export async function createGroup(client: OperatorClient): Promise<string> {
  const slug = unique('group');
  return idOf(await client.post('/api/plan-groups', { body: { slug, name: 'Group' } }));
}

/** Returns a body that creates a plan; the given members override the defaults. */
export function planBody(planGroupId: string, members: object = {}): Record<string, unknown> {
  return {
    planGroupId,
    slug: unique('plan'),
    name: 'Pro',
    price: { amount: '2900', currency: 'USD' },
    interval: 'month',
    ...members,
  };
}

/** Creates a plan in a group of its own. */
export async function createPlan(client: OperatorClient, members: object = {}): Promise<string> {
  const group = await createGroup(client);
  return idOf(await client.post('/api/plans', { body: planBody(group, members) }));
}

/**
 * Creates a feature.
 *
 * @returns the feature's key
 */
export async function createFeature(
  client: OperatorClient,
  kind: 'metered' | 'boolean' = 'metered',
): Promise<string> {
  const key = unique('feature');
  idOf(await client.post('/api/features', { body: { key, name: 'Feature', kind } }));
  return key;
}

export async function createCustomer(
  client: OperatorClient,
  externalId = unique('acct'),
): Promise<{ id: string; externalId: string }> {
  const id = idOf(await client.post('/api/customers', { body: { externalId } }));
  return { id, externalId };
}

export function subscribe(
  client: OperatorClient,
  body: object,
  key: string = randomUUID(),
): Promise<ConsoleAnswer> {
  return client.post('/api/billing/subscriptions', { body, headers: { 'Idempotency-Key': key } });
}

/** Returns the pointers of a refusal's errors. */
export function pointersOf(answer: ConsoleAnswer): string[] {
  const errors = (answer.body['errors'] ?? []) as { pointer: string }[];
  return errors.map((error) => error.pointer);
}
