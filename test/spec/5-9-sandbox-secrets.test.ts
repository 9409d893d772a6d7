import { complete, connect, fakeSecret, PATH, problemOf, stored } from '../connections/connection-calls';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 5, row 9: a sandbox secret must not be copied into a Production connection, nor the reverse. */
const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

const refused = (member: string) => ({
  status: 422,
  code: 'secret_wrong_environment',
  pointers: [`/secrets/${member}`],
});
const create = (env: 'sandbox' | 'production', provider: string, secrets: Record<string, string>) =>
  client.post(PATH, { env, body: { provider, displayName: 'X', secrets } });

test.each(['sk_test_', 'rk_test_', 'pk_test_', 'sk_org_test_', 'SK_TEST_'])(
  'production refuses a secret that begins with %s',
  async (prefix) => {
    for (const provider of ['provider_a', 'provider_c']) {
      const answer = await create('production', provider, { secretKey: fakeSecret(prefix) });
      expect(problemOf(answer)).toEqual(refused('secretKey'));
      expect(answer.body['detail']).toBe('/secrets/secretKey: is a secret of the sandbox.');
    }
  },
);

test.each(['sk_live_', 'rk_live_', 'sk_org_live_'])(
  'the sandbox refuses one that begins with %s',
  async (prefix) => {
    const answer = await create('sandbox', 'provider_a', { secretKey: fakeSecret(prefix) });
    expect(problemOf(answer)).toEqual(refused('secretKey'));
    expect(answer.body['detail']).toBe('/secrets/secretKey: is a secret of production.');
  },
);

test('production refuses what a sandbox connection holds, whatever it looks like', async () => {
  const secrets = complete.provider_b();
  await connect(client, { provider: 'provider_b', secrets });
  for (const member of Object.keys(secrets) as (keyof typeof secrets)[]) {
    const answer = await create('production', 'provider_b', {
      ...complete.provider_b(),
      [member]: secrets[member],
    });
    expect(problemOf(answer)).toEqual(refused(member));
  }
});

test('the sandbox refuses what a production connection holds or has held', async () => {
  const [old, secrets] = [complete.provider_b(), complete.provider_b()];
  const id = await connect(client, { provider: 'provider_b', secrets: old }, 'production');
  const changed = await client.patch(`${PATH}/${id}`, { env: 'production', body: { secrets } });
  expect(changed.status).toBe(200);
  for (const held of [old, secrets]) {
    for (const member of Object.keys(held) as (keyof typeof held)[]) {
      const sent = { ...complete.provider_b(), [member]: held[member] };
      expect(problemOf(await create('sandbox', 'provider_b', sent))).toEqual(refused(member));
    }
  }
  // Its own environment accepts it again.
  expect((await create('production', 'provider_b', old)).status).toBe(201);
});

test('an update is refused with a secret that the other environment has held, also one of several joined by commas', async () => {
  const [first, second, third] = [fakeSecret('whsec_'), fakeSecret('whsec_'), fakeSecret('whsec_')];
  const id = await connect(client, { secrets: { webhookSecret: `${first},${second}` } });
  await client.patch(`${PATH}/${id}`, { body: { secrets: { webhookSecret: third } } });
  const production = await connect(client, { secrets: { secretKey: fakeSecret('sk_live_') } }, 'production');
  const before = await stored(service.database, production);
  for (const webhookSecret of [first, second, third, `${fakeSecret('whsec_')},${first}`]) {
    const answer = await client.patch(`${PATH}/${production}`, {
      env: 'production',
      body: { secrets: { webhookSecret } },
    });
    expect(problemOf(answer)).toEqual(refused('webhookSecret'));
  }
  expect(await stored(service.database, production)).toEqual(before);
});

test('a refused secret leaves nothing behind, and its own environment takes it', async () => {
  const secretKey = fakeSecret('sk_live_');
  await create('sandbox', 'provider_a', { secretKey });
  expect((await create('production', 'provider_a', { secretKey })).status).toBe(201);
});

test('the secrets of another organization are not compared', async () => {
  const secrets = complete.provider_b();
  await connect(client, { provider: 'provider_b', secrets });
  const other = await logIn(service, { role: 'admin' });
  const body = { provider: 'provider_b', displayName: 'X', secrets };
  expect((await other.post(PATH, { env: 'production', body })).status).toBe(201);
});
