import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../test/connections/connection-calls';
import { CatalogueSeeder } from '../../test/support/catalogue';
import { logIn } from '../../test/support/operator';
import { rowsOf } from '../../test/support/tenant-rows';
import { createKey, createWorkspace } from '../../test/support/workspace';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import { hostErrors } from '../../src/http/openapi/route-errors';
import { describedAnswers, type JudgeAnswer } from '../fuzz/described-answers';
import { describedRoutes, type DescribedRoute } from '../fuzz/described-route';
import { exchange, type Answer } from '../fuzz/exchange';
import { faultOf } from '../fuzz/judge';
import { makeRequest } from '../fuzz/make-request';
import { Random } from '../fuzz/random';
import type { Installation } from '../installation';
import type { Scenario } from '../scenario';

/** Occurs in another organization's data, and in no request. */
const CANARY = 'canary-of-another-tenant';
/** Operations that would end the session used here. */
const LEFT_OUT = new Set(['logOut', 'changePassword']);
const CONCURRENCY = 8;
/** More than any page holds, so that everything a run creates is requested again. */
const MAX_KNOWN = 2_000;
const MAX_FAULTS = 20;

/** Sends nearly valid and entirely invalid requests to every route of the console and of both API hosts. */
export const fuzz: Scenario<'requests' | 'seed'> = {
  name: 'fuzz',
  about:
    'mutated requests at every route: no 500, only answers that the documents describe, nothing of another tenant',
  fullSize: { requests: 30_000, seed: 1 },
  run: async ({ counts, start, log }) => {
    const installation = await start({ processes: ['api'], simulators: true });
    const { targets, known } = await createTargets(installation);
    const before = await rowsOf(installation.database, CANARY);
    const random = new Random(counts.seed);
    const statuses: Record<string, number> = {};
    const faults: string[] = [];
    const watched = watchHealth(installation);
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < counts.requests && faults.length < MAX_FAULTS) {
        sent += 1;
        // Routes take turns.
        const target = targets[sent % targets.length];
        if (target === undefined) return;
        const request = makeRequest(random, target.route, { ...target, known });
        const answer = await exchange(target.url, request);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        const fault =
          faultOf(answer, request) ??
          leakIn(answer, target.route) ??
          (request.isOfRoute ? undescribed(answer, target) : undefined);
        if (fault !== undefined) {
          faults.push(`${fault}\n  to ${request.bytes.toString('latin1').slice(0, 1_500)}`);
        }
        learn(known, answer);
        if (sent % 5_000 === 0) log(`${sent} requests`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    const slowest = await watched.end();
    if (faults.length > 0) throw new Error(`seed ${counts.seed}:\n${faults.join('\n')}`);
    const after = await rowsOf(installation.database, CANARY);
    if (after !== before) throw new Error(`Rows of another tenant have changed:\n${before}\n${after}`);
    return {
      requests: sent,
      'by status': JSON.stringify(statuses),
      'ids learned': known.length,
      'slowest /healthz meanwhile (ms)': slowest,
    };
  },
};

interface Target {
  url: string;
  route: DescribedRoute;
  credentials: readonly string[];
  workspace: readonly [string, string][];
  judge: JudgeAnswer;
}

/** Answers that a host gives before it has matched a route. */
const OF_THE_HOST = new RegExp(`"code":"(?:${hostErrors.join('|')})"`);

/** Returns why an answer is not one that the host's document describes. */
function undescribed(answer: Answer, { route, judge }: Target): string | undefined {
  const { status, contentType, body } = answer;
  if (status === 0 || contentType.startsWith('text/event-stream') || OF_THE_HOST.test(body)) return undefined;
  return judge(route, answer);
}

async function createTargets(service: Installation): Promise<{ targets: Target[]; known: string[] }> {
  const { database, urls } = service;
  const own = await createWorkspace(database);
  const other = await createWorkspace(database, CANARY);
  const known: string[] = [];
  for (const [of, word] of [
    [own, 'own'],
    [other, CANARY],
  ] as const) {
    const seed = new CatalogueSeeder(database, of.sandbox);
    const plan = await seed.plan(word, [{ feature: word, quota: 1_000 }]);
    const customer = await seed.customer(word);
    known.push(of.workspaceId, customer, await seed.subscription(customer, plan, {}));
    const operator = await logIn(service, { role: 'admin', workspaceId: of.workspaceId });
    known.push(await connect(operator, { settings: {} }));
  }
  const operator = await logIn(service, {
    role: 'owner',
    workspaceId: own.workspaceId,
    platformAdministrator: true,
  });
  const [console, api] = [await describedRoutes('console'), await describedRoutes('api')];
  const judges = { console: await describedAnswers('console'), api: await describedAnswers('api') };
  const keys = {
    sandbox: await createKey(database, own.sandbox, KEY_SCOPES),
    production: await createKey(database, own.production, KEY_SCOPES),
  };
  const session = { credentials: [`Cookie: ${operator.cookie}`] };
  const bearer = (key: string): readonly string[] => [`Authorization: Bearer ${key}`];
  const targets = [
    ...console.map((route): Target => {
      const isOfWorkspace = route.query.some(({ name }) => name === 'organizationId');
      const workspace: [string, string][] = [
        ['organizationId', own.workspaceId],
        ['env', 'sandbox'],
      ];
      const judge = judges.console;
      return { url: urls.console, route, judge, ...session, workspace: isOfWorkspace ? workspace : [] };
    }),
    ...api.flatMap((route): Target[] => [
      { url: urls.sandbox, route, judge: judges.api, credentials: bearer(keys.sandbox), workspace: [] },
      { url: urls.production, route, judge: judges.api, credentials: bearer(keys.production), workspace: [] },
    ]),
  ].filter(({ route }) => !LEFT_OUT.has(route.operationId));
  return { targets, known };
}

/**
 * Returns data of another tenant found in an answer. The platform's administrators may see that an organization exists.
 */
function leakIn({ body }: Answer, { path }: DescribedRoute): string | undefined {
  if (path.startsWith('/api/admin') || !body.includes(CANARY)) return undefined;
  return `something of another tenant: ${body.slice(0, 300)}`;
}

/** Collects ids and cursors from answers for later requests. */
function learn(known: string[], { status, body }: Answer): void {
  if (status >= 300 || known.length >= MAX_KNOWN) return;
  for (const [, text = ''] of body.matchAll(/"(?:id|\w+Id|key|nextCursor|code|slug)":"([^"\\]{1,300})"/g)) {
    if (!known.includes(text)) known.push(text);
  }
}

/** Measures the slowest answer of a route that does no work: it was held up by whatever blocked the event loop. */
function watchHealth({ urls }: Installation): { end(): Promise<number> } {
  const ending = new AbortController();
  const watching = (async (): Promise<number> => {
    let slowest = 0;
    while (!ending.signal.aborted) {
      const begun = performance.now();
      await (await fetch(`${urls.console}/healthz`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - begun);
      await pause(20);
    }
    return Math.round(slowest);
  })();
  return {
    end: () => {
      ending.abort();
      return watching;
    },
  };
}
