import type Router from '@koa/router';
import type { Context } from 'koa';
import { readBody } from '../core/server';
import type { Account } from './account';
import { Refusal, type Reply } from './answers';

/** A request whose key was accepted. */
export interface Call {
  account: Account;
  /** The path's variable part. */
  name: string;
  query: unknown;
  /** The body of a POST; undefined for a GET. */
  body: unknown;
  /** The address at which the caller reached the simulator. */
  origin: string;
}

/** Adds a route that needs a secret key, and answers in the provider's envelope. */
export function route(
  router: Router,
  accounts: ReadonlyMap<string, Account>,
  method: 'get' | 'post',
  path: string,
  handle: (call: Call) => Reply,
): void {
  router[method](path, async (ctx: Context & { params: Record<string, string> }) => {
    // The firewall in front of the original answers these itself.
    if (ctx.get('user-agent') === '') {
      ctx.status = 403;
      ctx.body = 'error code: 1010';
      return;
    }
    const reply = await settle(async () => {
      const account = authenticate(accounts, ctx.get('authorization'));
      const body = method === 'post' ? await readJson(ctx) : undefined;
      // The router's query has no prototype, so a schema does not accept it as a plain object.
      const query: unknown = { ...ctx.query };
      return handle({
        account,
        name: ctx.params['name'] ?? '',
        query,
        body,
        origin: `${ctx.protocol}://${ctx.host}`,
      });
    });
    ctx.status = reply.status;
    ctx.body = reply.body;
  });
}

async function settle(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body };
    throw error;
  }
}

function authenticate(accounts: ReadonlyMap<string, Account>, header: string): Account {
  if (header === '') throw new Refusal(401, 'no_authorization', 'No Authorization Header was found');
  const account = accounts.get(/^Bearer (\S+)$/.exec(header)?.[1] ?? '');
  if (account === undefined)
    throw new Refusal(401, 'invalid_Key', 'Invalid key', 'Provide the correct secret key');
  return account;
}

async function readJson(ctx: Context): Promise<unknown> {
  const bytes = await readBody(ctx);
  if (!ctx.is('application/json')) {
    throw new Refusal(400, 'invalid_content_type', 'The body must be application/json');
  }
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not valid JSON');
  }
}
