import { generateApiKey } from '../../src/api-keys/api-key';
import { ApiKeyCache } from '../../src/api-keys/api-key-cache';
import { createApiKeyAuthentication } from '../../src/api-keys/authenticate-api-key';
import { systemClock } from '../../src/clock/system-clock';
import { createLookups } from '../../src/db/batch';
import type { Database } from '../../src/db/pools';
import { createSessions } from '../../src/operators/session-service';
import { newSessionToken } from '../../src/operators/session-token';
import { createPortalSessions } from '../../src/portal/portal-session-service';
import { testSecrets } from '../support/service';
import { useService } from '../support/use-service';
import { createWorkspace } from '../support/workspace';

/** Anyone can send claims of a key or a session, as many at once as they have connections. */
const service = useService();
const urls = { sandbox: 'http://sandbox.test', production: 'http://production.test' };
const FLOOD = 300;

/** Counts the queries that are in progress at a pool. */
function watch(database: Database): { most: number; all: number } {
  const seen = { most: 0, all: 0 };
  let underWay = 0;
  database.on('query', () => {
    seen.all += 1;
    underWay += 1;
    seen.most = Math.max(seen.most, underWay);
  });
  for (const end of ['query-response', 'query-error']) database.on(end, () => (underWay -= 1));
  return seen;
}

function codesOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const codes = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as { code?: unknown }).code : null,
  );
  return [...new Set(codes)];
}

test('a flood of unknown keys is looked up in few queries, and a key among them is found', async () => {
  const database = service.open('tollgate_app', 4);
  const { sandboxKey, sandboxKeyId } = await createWorkspace(service.database);
  const authenticate = createApiKeyAuthentication({
    database,
    pepper: testSecrets.apiKeyPepper,
    clock: systemClock,
    publicUrls: urls,
    cache: new ApiKeyCache(),
    lastUsed: { note: () => undefined },
  });
  const seen = watch(database);
  const flood = Array.from({ length: FLOOD }, () => authenticate(generateApiKey('sandbox'), 'sandbox'));
  const [known, guesses] = await Promise.all([
    authenticate(sandboxKey, 'sandbox'),
    Promise.allSettled(flood),
  ]);
  expect(known.apiKeyId).toBe(sandboxKeyId);
  expect(codesOf(guesses)).toEqual(['api_key_invalid']);
  expect(seen.all).toBe(4);
  expect(seen.most).toBeLessThanOrEqual(3);
});

test('so are unknown sessions of operators, and of customers', async () => {
  const database = service.open('tollgate_app', 4);
  const sessions = createSessions({ database, clock: systemClock });
  const portal = createPortalSessions({ database, clock: systemClock, urls });
  const seen = watch(database);
  const guess = async (act: (token: string) => Promise<unknown>): Promise<unknown[]> =>
    codesOf(await Promise.allSettled(Array.from({ length: FLOOD }, () => act(newSessionToken()))));
  expect(await guess((token) => sessions.authenticate(token, '192.0.2.1'))).toEqual(['session_required']);
  expect(await guess((token) => portal.authenticate(token, 'sandbox', { isUse: true }))).toEqual([
    'portal_session_required',
  ]);
  const from = { environment: 'sandbox', requestId: 'req_1', replaces: undefined } as const;
  expect(await guess((token) => portal.open(token, from))).toEqual(['portal_link_invalid']);
  expect(seen.all).toBe(12);
  expect(seen.most).toBeLessThanOrEqual(3);
});

test('a failure is that of the look-ups of its query only, and the next query is made', async () => {
  const asked: number[][] = [];
  const lookUp = createLookups((claims: readonly number[]) => {
    asked.push([...claims]);
    return claims.includes(1)
      ? Promise.reject(new Error('no connection'))
      : Promise.resolve(claims.map((claim) => (claim % 2 === 0 ? claim * 10 : null)));
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(lookUp));
  expect(asked).toEqual([[1], [2], [3], [4, 5, 6]]);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).toEqual([
    'failed',
    20,
    undefined,
    40,
    undefined,
    60,
  ]);
});

test('a query without an answer holds up no other look-up', async () => {
  let answer: (found: readonly string[]) => void = () => undefined;
  const lookUp = createLookups((claims: readonly string[]) =>
    claims.includes('silent')
      ? new Promise<readonly string[]>((resolve) => (answer = resolve))
      : Promise.resolve(claims),
  );
  const silent = lookUp('silent');
  const others = Array.from({ length: 10 }, (_, index) => String(index));
  await expect(Promise.all(others.map(lookUp))).resolves.toEqual(others);
  answer(['at last']);
  await expect(silent).resolves.toBe('at last');
});

test('nor do several, for longer than a second', async () => {
  jest.useFakeTimers();
  try {
    const answers: (() => void)[] = [];
    const asked: (readonly number[])[] = [];
    const lookUp = createLookups((claims: readonly number[]) => {
      asked.push(claims);
      return new Promise<readonly number[]>((resolve) => {
        answers.push(() => {
          resolve(claims);
        });
      });
    });
    const found = Promise.all([1, 2, 3, 4, 5].map(lookUp));
    expect(asked).toEqual([[1], [2], [3]]);
    jest.advanceTimersByTime(1_000);
    expect(asked).toEqual([[1], [2], [3], [4, 5]]);
    // Late answers make no room a second time.
    const later = [6, 7, 8].map(lookUp);
    for (const answer of answers.splice(0)) answer();
    await expect(found).resolves.toEqual([1, 2, 3, 4, 5]);
    await jest.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([[1], [2], [3], [4, 5], [6], [7], [8]]);
    for (const answer of answers) answer();
    await expect(Promise.all(later)).resolves.toEqual([6, 7, 8]);
  } finally {
    jest.useRealTimers();
  }
});
