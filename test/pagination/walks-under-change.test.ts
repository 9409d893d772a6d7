import { createGroup, idOf, planBody } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createKey } from '../support/workspace';
import { useService } from '../support/use-service';

/** Lists paged through while items are added and removed. */
const service = useService();
let admin: OperatorClient;
let app: Integrator;
beforeAll(async () => {
  admin = await logIn(service, { role: 'admin' });
  const scope = { workspaceId: admin.workspaceId, environment: 'sandbox' } as const;
  app = new Integrator(service.urls.sandbox, await createKey(service.database, scope, ['read', 'customers']));
});

/** Returns the ids of a list, page by page, and runs `between` after each page. */
async function walk(path: string, between: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const { body, status } = await app.send('GET', `${path}${path.includes('?') ? '&' : '?'}take=3${cursor}`);
    expect(status).toBe(200);
    seen.push(...(body['data'] as { id: string }[]).map(({ id }) => id));
    if (body['hasMore'] !== true) return seen;
    await between();
    cursor = `&cursor=${String(body['nextCursor'])}`;
  }
}

test('each customer that was there is seen once, those that come meanwhile do not move them', async () => {
  const put = async (externalId: string) =>
    String((await app.send('PUT', `/v1/customers/${externalId}`, {})).body['id']);
  const there: string[] = [];
  for (let count = 0; count < 20; count += 1) there.push(await put(`there-${count}`));
  let came = 0;
  const seen = await walk('/v1/customers', async () => {
    came += 1;
    await Promise.all([put(`later-${came}-a`), put(`later-${came}-b`)]);
  });
  expect(came).toBeGreaterThan(5);
  expect(seen).toEqual(there.toReversed());
});

test('plans that are deleted meanwhile take no other with them', async () => {
  const group = await createGroup(admin);
  const plans: string[] = [];
  for (let count = 0; count < 16; count += 1)
    plans.push(idOf(await admin.post('/api/plans', { body: planBody(group) })));
  const newestFirst = plans.toReversed();
  const doomed = newestFirst.filter((_, index) => index % 4 === 2);
  const deleted: string[] = [];
  const seen = await walk('/v1/plans', async () => {
    const next = doomed[deleted.length];
    if (next === undefined) return;
    expect((await admin.delete(`/api/plans/${next}`)).status).toBe(204);
    deleted.push(next);
  });
  expect(deleted.length).toBeGreaterThan(2);
  expect(new Set(seen).size).toBe(seen.length);
  expect(newestFirst.filter((id) => !seen.includes(id) && !deleted.includes(id))).toEqual([]);
});

test('the end of a walk is the end, also where the last row has gone', async () => {
  const group = await createGroup(admin);
  const plans: string[] = [];
  for (let count = 0; count < 4; count += 1)
    plans.push(idOf(await admin.post('/api/plans', { body: planBody(group) })));
  const [oldest = ''] = plans;
  const path = `/v1/plans?planGroupId=${group}`;
  const seen = await walk(path, () => admin.delete(`/api/plans/${oldest}`));
  expect(seen).toEqual(plans.slice(1).toReversed());
});
