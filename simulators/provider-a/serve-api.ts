import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { readBody } from '../core/server';
import type { Account } from './account';
import type { Answer } from './answer';
import { billingEndpoints } from './billing-endpoints';
import { catalogueEndpoints } from './catalogue';
import type { Endpoint } from './endpoint';
import { expandedBy, parseForm } from './form';
import { once } from './idempotency';
import { requirePermissions } from './permissions';
import { Problem } from './problem';
import { webhookEndpointEndpoints } from './webhook-endpoints';

const endpoints: Endpoint[] = [...catalogueEndpoints, ...billingEndpoints, ...webhookEndpointEndpoints];
const KEY = /^Bearer ((?:sk|rk)_(?:test|live)_\S+)$/;

/** Answers one API call like the original: bearer key, form-encoded parameters, idempotency keys. */
export async function serveApi(ctx: Context, accounts: ReadonlyMap<string, Account>): Promise<void> {
  const requestId = `req_${randomBytes(8).toString('hex')}`;
  ctx.set('Request-Id', requestId);
  const key = ctx.get('Idempotency-Key');
  const body = await readBody(ctx);
  const reply = await answerOrProblem(async () => {
    const account = authenticate(ctx, accounts);
    const work = (): Promise<Answer & { executed: boolean }> =>
      answerOrProblem(() => perform(ctx, account, requestId, key, body));
    if (ctx.method !== 'POST' || key === '') return work();
    const { replayed, ...answer } = await once(
      account,
      key,
      { method: ctx.method, path: ctx.path, body },
      work,
    );
    if (replayed) ctx.set('Idempotent-Replayed', 'true');
    return { ...answer, executed: true };
  });
  if (key !== '') ctx.set('Idempotency-Key', key);
  ctx.status = reply.status;
  ctx.body = reply.body;
}

function perform(
  ctx: Context,
  account: Account,
  requestId: string,
  key: string,
  body: Buffer,
): Answer & { executed: boolean } {
  const found = endpoints.find(({ method, pattern }) => method === ctx.method && pattern.test(ctx.path));
  if (found === undefined) {
    const message = `Unrecognized request URL (${ctx.method}: ${ctx.path}).`;
    throw new Problem(404, { type: 'invalid_request_error', message }, false);
  }
  const form = parseForm(ctx.method === 'GET' ? ctx.querystring : body.toString('utf8'));
  const { method, path } = ctx;
  requirePermissions(account, { method, path, expand: expandedBy(form) });
  const [, id = ''] = found.pattern.exec(ctx.path) ?? [];
  account.request = { id: requestId, idempotency_key: key === '' ? null : key };
  try {
    return { status: 200, body: found.answer(account, form, id, originOf(ctx)), executed: true };
  } finally {
    account.request = null;
  }
}

async function answerOrProblem(
  work: () => (Answer & { executed: boolean }) | Promise<Answer & { executed: boolean }>,
): Promise<Answer & { executed: boolean }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { error: error.body }, executed: error.executed };
  }
}

/** Finds the account by the key in an `Authorization` header. */
export function accountOf(
  accounts: ReadonlyMap<string, Account>,
  authorization: string,
): Account | undefined {
  return accounts.get(KEY.exec(authorization)?.[1] ?? '');
}

function authenticate(ctx: Context, accounts: ReadonlyMap<string, Account>): Account {
  const [, key] = KEY.exec(ctx.get('Authorization')) ?? [];
  const account = accountOf(accounts, ctx.get('Authorization'));
  if (account !== undefined) return account;
  const message =
    key === undefined
      ? 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
      : `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`;
  throw new Problem(401, { type: 'invalid_request_error', message }, false);
}

/** Not taken from the Host header, which a caller may omit. */
function originOf(ctx: Context): string {
  return `http://127.0.0.1:${ctx.req.socket.localPort ?? 80}`;
}
