import { forEachWorkspace } from '../../src/db/each-workspace';
import { createLogger } from '../../src/telemetry/logger';

const workspaces = ['org_1', 'org_2', 'org_3', 'org_4'].map((workspaceId) => ({ workspaceId }));
const log = createLogger('test', 'silent');

/** Returns the workspaces worked for, and the failure thrown, if `failures` names the failing ones. */
async function sweep(failures: Record<string, Error>) {
  const done: string[] = [];
  const failure: unknown = await forEachWorkspace(workspaces, log, ({ workspaceId }) => {
    done.push(workspaceId);
    const error = failures[workspaceId];
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  }).catch((error: unknown) => error);
  return { done, failure };
}

test('a workspace that fails does not hold up the others, and the first failure is thrown at the end', async () => {
  const [first, second] = [new Error('first'), new Error('second')];
  expect(await sweep({ org_2: first, org_3: second })).toEqual({
    done: ['org_1', 'org_2', 'org_3', 'org_4'],
    failure: first,
  });
  expect((await sweep({})).failure).toBeUndefined();
});

test('a failed connection ends the sweep', async () => {
  const lost = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  expect(await sweep({ org_2: lost })).toEqual({ done: ['org_1', 'org_2'], failure: lost });
});
