import { createConnection } from '../../src/connections/change-connection';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import type { Environment } from '../../src/domain/environment';
import type { Actor } from '../../src/tenancy/actor';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { testSecrets } from '../support/service';
import { until } from '../support/until';
import { useService } from '../support/use-service';
import { complete, PATH } from './connection-calls';

/** One secret submitted to both environments of an organization at the same instant: only one of them gets it. */
const service = useService();
let client: OperatorClient;
let database: Database;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
  database = service.open('tollgate_app', 1);
});

type Secrets = ReturnType<typeof complete.provider_b>;
const create = (env: Environment, secrets: Secrets, by = client): Promise<ConsoleAnswer> =>
  by.post(PATH, { env, body: { provider: 'provider_b', displayName: 'Account', secrets } });
const codesOf = (answers: ConsoleAnswer[]) =>
  answers.map(({ status, body }) => [status, body['code']]).sort();

/** Connects an account, and keeps the transaction open until the test lets it commit. */
function createHeld(environment: Environment, secrets: Secrets) {
  const scope = { workspaceId: client.workspaceId, environment };
  const [receivedAt, requestId] = [Date.now(), 'req_held'];
  const actor: Actor = {
    scope,
    reason: 'OPERATOR',
    operatorId: null,
    apiKeyId: null,
    ip: null,
    requestId,
    receivedAt,
    now: receivedAt,
  };
  let commit: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (commit = resolve));
  let written: () => void = () => undefined;
  const isWritten = new Promise<void>((resolve) => (written = resolve));
  const committed = inWorkspace(database, scope, 'OPERATOR', async (trx) => {
    const input = { provider: 'provider_b', displayName: 'Held', secrets } as const;
    await createConnection(trx, createKeyRing(testSecrets.credentialKeys), actor, input);
    written();
    await allowed;
  });
  return { isWritten, committed, commit };
}

async function waitsForLock(): Promise<boolean> {
  const waiting = await service.database.query(
    "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  );
  return waiting.length > 0;
}

test.each([
  ['sandbox', 'production'],
  ['production', 'sandbox'],
] as const)('a secret that the %s is about to hold is not overlooked by the %s', async (first, second) => {
  const secrets = complete.provider_b();
  const held = createHeld(first, secrets);
  await held.isWritten;
  let answered = false;
  const other = create(second, secrets).finally(() => (answered = true));
  await until(async () => answered || (await waitsForLock()));
  held.commit();
  await held.committed;
  expect(codesOf([await other])).toEqual([[422, 'secret_wrong_environment']]);
});

test('of a sandbox and a production connection that take a secret at once, one gets it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const secrets = complete.provider_b();
    const answers = await Promise.all([create('sandbox', secrets), create('production', secrets)]);
    expect(codesOf(answers)).toEqual([
      [201, undefined],
      [422, 'secret_wrong_environment'],
    ]);
  }
});

test('another organization does not wait for the lock', async () => {
  const stranger = await logIn(service, { role: 'admin' });
  const secrets = complete.provider_b();
  const held = createHeld('sandbox', secrets);
  await held.isWritten;
  expect((await create('production', secrets, stranger)).status).toBe(201);
  held.commit();
  await held.committed;
});
