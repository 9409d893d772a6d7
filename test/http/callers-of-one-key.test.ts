import { randomUUID } from 'node:crypto';
import { createCustomer, createPlan } from '../catalog/offer';
import { Integrator, type Answer } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { createKey } from '../support/workspace';
import { useService } from '../support/use-service';
import { KEY_SCOPES } from '../../src/domain/key-scopes';

/** Number of concurrent callers, all with the same key. */
const CALLERS = 50;

const service = useService({ commands: 'direct' });
let admin: OperatorClient;
let app: Integrator;
let planId: string;
beforeAll(async () => {
  admin = await logIn(service, { role: 'admin' });
  const scope = { workspaceId: admin.workspaceId, environment: 'sandbox' } as const;
  app = new Integrator(service.urls.sandbox, await createKey(service.database, scope, KEY_SCOPES));
  planId = await createPlan(admin);
});

function atOnce(call: (caller: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: CALLERS }, (_, caller) => untilTaken(() => call(caller))));
}

/** Counts the answers by status and code. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status < 400 ? String(status) : `${status} ${String(body['code'])}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('one purchase, sent by all with the same Idempotency-Key, is made once, and all get the same answer', async () => {
  const { externalId } = await createCustomer(admin);
  const key = randomUUID();
  const subscribe = () =>
    app.send('POST', '/v1/subscriptions', { externalId, planId }, { 'Idempotency-Key': key });
  const answers = await atOnce(subscribe);
  expect(tally(answers)).toEqual({ '201': CALLERS });
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
  expect((await subscribe()).body).toEqual(answers[0]?.body);
  const { body } = await app.send('GET', `/v1/subscriptions?externalId=${externalId}`);
  expect(body['data']).toHaveLength(1);
});

test('of fifty purchases of one customer one is made', async () => {
  const { externalId } = await createCustomer(admin);
  const answers = await atOnce(() =>
    app.send('POST', '/v1/subscriptions', { externalId, planId }, { 'Idempotency-Key': randomUUID() }),
  );
  expect(tally(answers)).toEqual({ '201': 1, '409 subscription_exists': CALLERS - 1 });
});

test('fifty PUTs of one customer make one', async () => {
  const answers = await atOnce((caller) => app.send('PUT', '/v1/customers/many', { name: `Name ${caller}` }));
  expect(tally(answers)).toEqual({ '200': CALLERS - 1, '201': 1 });
  expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
});

test('fifty grants of credits and as many refusals leave the sum of what was answered', async () => {
  const { externalId } = await createCustomer(admin);
  const path = `/v1/customers/${externalId}/credits`;
  const answers = await atOnce((caller) =>
    app.send('POST', path, { amount: caller % 2 === 0 ? 2 : -1 }, { 'Idempotency-Key': `grant-${caller}` }),
  );
  expect(tally(answers)).toEqual({ '201': CALLERS / 2, '400 validation_failed': CALLERS / 2 });
  const { body } = await app.send('GET', path);
  expect(body['balance']).toBe(CALLERS);
});
