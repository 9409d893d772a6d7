import { Client } from 'pg';
import { Integrator } from '../support/integrator';
import { untilLockWaits } from '../support/lock-waits';
import { untilTaken } from '../support/until-taken';
import { createKey, createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';
import { KEY_SCOPES } from '../../src/domain/key-scopes';

const service = useService();

/** Connections of the service's general pool that one workspace may have at once. */
const SHARE = 9;

async function integrator(name: string): Promise<Integrator> {
  const { sandbox } = await createWorkspace(service.database, name);
  return new Integrator(service.urls.sandbox, await createKey(service.database, sandbox, KEY_SCOPES));
}

test('a key with many slow requests does not keep another organization waiting for them', async () => {
  const [busy, quiet] = [await integrator('Busy'), await integrator('Quiet')];
  expect((await busy.send('PUT', '/v1/customers/one', { name: 'One' })).status).toBe(201);
  const holder = new Client({ connectionString: service.database.adminUrl });
  await holder.connect();
  await holder.query("BEGIN; SELECT FROM tollgate.customers WHERE external_id = 'one' FOR UPDATE");
  const requests = Array.from({ length: 40 }, (_, index) =>
    untilTaken(() => busy.send('PUT', '/v1/customers/one', { name: `One ${index}` })),
  );
  await untilLockWaits(service.database, SHARE);
  // None of the others has been answered, and none will be while the customer is locked.
  expect((await quiet.send('GET', '/v1/customers')).status).toBe(200);
  await holder.query('COMMIT');
  await holder.end();
  const answers = await Promise.all(requests);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
