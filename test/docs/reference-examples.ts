import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describedAnswers } from '../../endurance/fuzz/described-answers';
import type { Answer, Integrator } from '../support/integrator';

const DOCUMENT = path.join(__dirname, '..', '..', 'docs', 'openapi', 'api.json');

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    example?: string;
    schema?: { example?: string };
  }[];
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> };
}

/** The calls that a key can make, ordered so that each finds what it needs in a fresh demo. */
const ORDER = [
  ...[
    'checkUsage',
    'trackUsage',
    'reverseUsage',
    'listReservations',
    'getReservation',
    'releaseReservation',
    'listEntities',
    'removeEntity',
    'trackUsageBatch',
    'listUsageEvents',
    'getUsageEvent',
    'readUsageSeries',
    'getDecision',
    'putCustomer',
    'updateCustomer',
    'getCustomer',
  ],
  ...['listPlans', 'getPlan', 'listFeatures', 'listCustomers', 'listCustomerEntitlements'],
  ...['grantCredits', 'listCredits', 'expireCredits', 'createCheckout', 'getCheckout', 'listCheckouts'],
  ...['expireCheckout', 'createSubscription', 'getSubscription', 'listSubscriptions'],
  ...[
    'listTransactions',
    'getTransaction',
    'recordPayment',
    'getPayment',
    'listPayments',
    'createRefund',
    'listOperations',
  ],
  ...['getRefund', 'listRefunds', 'changeSubscription', 'withdrawScheduledChange', 'cancelSubscription'],
  ...['getSubscriptionTimeline', 'reactivateSubscription', 'listEvents'],
  ...['createWebhookEndpoint', 'readWebhookEndpoint', 'listWebhookEndpoints', 'changeWebhookEndpoint'],
  ...['rollWebhookSecret', 'testWebhookEndpoint', 'listWebhookDeliveries', 'readWebhookDelivery'],
  ...['resendWebhookMessage', 'resendWebhookMessages', 'readWebhookResend', 'deleteWebhookEndpoint'],
  ...['listWebhookMessages', 'getWebhookMessage'],
  ...['createPortalSession', 'endPortalSessions'],
  ...['eraseCustomer', 'getCustomerErasure'],
] as const;

/** Calls left out here: an operation can be read only after a command was answered 202, and a stream never ends. */
const LEFT_OUT = ['getOperation', 'exportUsageEvents', 'streamWebhookMessages'];

/** Calls whose work ends later, and whose 202 is therefore not followed. */
const ENDS_LATER: ReadonlySet<string> = new Set(['resendWebhookMessages', 'eraseCustomer']);

/**
 * Sends the reference's example of every call that a key can make. Only the ids of objects that the demo does not start
 * with are replaced.
 *
 * @throws Error for a refusal, and for an answer that the document does not describe
 */
export async function sendExamples(api: Integrator): Promise<void> {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const judge = await describedAnswers('api');
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      at,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
  const ofKeys = operations.filter(({ security = [] }) => security.length > 0);
  expect(ofKeys.map(({ operationId }) => operationId).sort()).toEqual([...ORDER, ...LEFT_OUT].sort());

  const ids = new Map<string, string>([
    ['idOrSlug', 'pro'],
    ['externalId', 'demo_acme'],
    ['entity', 'user_17'],
  ]);
  for (const operationId of ORDER) {
    const operation = ofKeys.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(operationId);
    const { at, method, requestBody } = operation;
    if (operationId === 'getReservation') ids.set('reservations', await reserved(api));
    if (operationId === 'listEntities')
      await api.track('demo_acme', 'ai_tokens', 1, randomUUID(), { entity: 'user_17' });
    if (operationId === 'reactivateSubscription') ids.set('subscriptions', await cancellingAtA(api));
    if (operationId === 'eraseCustomer') ids.set('externalId', await customerOfNothing(api));
    const target = at.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
      return `${collection}/${ids.get(name) ?? ids.get(collection)}`;
    });
    const body = bodyOf(requestBody, ids);
    const key = { 'Idempotency-Key': randomUUID() };
    const send = (): Promise<Answer> => api.send(method, target + queryOf(operation), body, key);
    let answer = await send();
    // A command that takes longer than its answer: the same request waits on.
    while (answer.status === 202 && !ENDS_LATER.has(operationId)) answer = await send();
    const { status, text, headers } = answer;
    if (status >= 300) throw new Error(`${method} ${target} answered ${text}`);
    const contentType = headers.get('content-type') ?? '';
    const fault = judge({ method, path: at }, { status, contentType, body: text });
    if (fault !== undefined) throw new Error(`${method} ${target}: ${fault}`);
    learn(ids, at, answer.body);
  }
}

/** Returns the required query parameters with their examples. */
function queryOf({ parameters = [] }: Operation): string {
  const needed = parameters.filter((one) => one.in === 'query' && one.required === true);
  const query = needed.map(({ name, example, schema }): [string, string] => [
    name,
    example ?? schema?.example ?? '',
  ]);
  return needed.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
}

/** Returns the example body with the ids created in this run. */
function bodyOf(
  requestBody: Operation['requestBody'],
  ids: ReadonlyMap<string, string>,
): Record<string, unknown> | undefined {
  const example = requestBody?.content['application/json']?.example;
  if (example === undefined) return undefined;
  const own = { transactionId: ids.get('transactions'), paymentId: ids.get('payments') };
  const members = Object.entries(example).map(([name, value]) => [
    name,
    name in own ? own[name as keyof typeof own] : value,
  ]);
  return Object.fromEntries(members) as Record<string, unknown>;
}

/** Records the id in an answer of a collection's route, for the routes of its items. */
function learn(ids: Map<string, string>, at: string, body: Record<string, unknown>): void {
  const collection =
    at
      .split('/')
      .filter((part) => !part.startsWith('{'))
      .at(-1) ?? '';
  const [first] = (Array.isArray(body['data']) ? body['data'] : [body]) as Record<string, unknown>[];
  // The name as in an item's path: `endpoints` for `webhook-endpoints`.
  const name = collection.split('-').at(-1) ?? '';
  if (typeof first?.['id'] === 'string' && !ids.has(name)) ids.set(name, first['id']);
  if (typeof first?.['messageId'] === 'string') ids.set('messageId', first['messageId']);
  if (typeof body['decisionId'] === 'string') ids.set('decisions', body['decisionId']);
  if (typeof body['eventId'] === 'string') ids.set('events', body['eventId']);
  if (typeof body['pseudonym'] === 'string') ids.set('erasures', String(body['id']));
}

/** Creates a customer that can be erased, because it has nothing open. */
async function customerOfNothing(api: Integrator): Promise<string> {
  await api.send('PUT', '/v1/customers/leaving', {});
  return 'leaving';
}

async function reserved(api: Integrator): Promise<string> {
  const check = { externalId: 'demo_acme', feature: 'ai_tokens', quantity: 1 };
  const { body } = await api.send('POST', '/v1/usage/check', {
    ...check,
    reserve: { expiresInSeconds: 600 },
  });
  return String(body['reservationId']);
}

async function cancellingAtA(api: Integrator): Promise<string> {
  const { body } = await api.send('GET', '/v1/subscriptions?externalId=demo_a_cancelling');
  const [subscription] = body['data'] as { id: string }[];
  return subscription?.id ?? '';
}
