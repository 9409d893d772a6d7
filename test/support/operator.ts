import { hash } from '@node-rs/argon2';
import type { Environment } from '../../src/domain/environment';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { Role } from '../../src/operators/roles';
import type { TestDatabase } from './database';
import type { TestService } from './service';
import { send } from './send';
import { createWorkspace } from './workspace';

export const testPassword = 'correct horse battery staple';
/** A hash stores its own cost, and each log-in pays it: at the service's cost, that is 20 ms of a core. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
let storedPassword: Promise<string> | undefined;
let made = 0;

/** A response of the console; `body` is `{}` if the response has none. */
export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface CallOptions {
  body?: unknown;
  /** `null` leaves organizationId and env out (for /api/auth and /api/organizations). */
  env?: Environment | null;
  organizationId?: string;
  headers?: Record<string, string>;
  /** Further query parameters. */
  query?: Record<string, string>;
}
type Send = (path: string, options?: CallOptions) => Promise<ConsoleAnswer>;

/** A logged-in operator's console client. It adds organizationId and env (sandbox) to every call. */
export interface OperatorClient {
  operatorId: string;
  email: string;
  workspaceId: string;
  /** The `Cookie` header's value. */
  cookie: string;
  get: Send;
  post: Send;
  put: Send;
  patch: Send;
  delete: Send;
}

/** Inserts an operator by SQL, a member if `workspaceId` and `role` are given. The password is `testPassword`. */
export async function createOperator(
  database: TestDatabase,
  input: { role?: Role; workspaceId?: string; platformAdministrator?: boolean; email?: string } = {},
): Promise<{ operatorId: string; email: string }> {
  storedPassword ??= hash(testPassword, CHEAP);
  const operatorId = newIdentifier('operator');
  made += 1;
  const email = input.email ?? `operator-${made}@example.test`;
  const now = new Date();
  await database.query(
    `INSERT INTO tollgate.operators (id, email, name, password_hash, is_platform_administrator, created_at, password_changed_at)
     VALUES ($1, $2, 'Test Operator', $3, $4, $5, $5)`,
    [operatorId, email, await storedPassword, input.platformAdministrator ?? false, now],
  );
  if (input.workspaceId !== undefined && input.role !== undefined) {
    await database.query(
      'INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at) VALUES ($1, $2, $3, $4)',
      [input.workspaceId, operatorId, input.role, now],
    );
  }
  return { operatorId, email };
}

/**
 * Creates an operator and logs in over HTTP. Creates a workspace unless `workspaceId` is given. Without `role`, the
 * operator is a member of none.
 */
export async function logIn(
  service: Pick<TestService, 'database' | 'urls'>,
  input: { role?: Role; platformAdministrator?: boolean; workspaceId?: string } = {},
): Promise<OperatorClient> {
  const workspaceId = input.workspaceId ?? (await createWorkspace(service.database)).workspaceId;
  const { operatorId, email } = await createOperator(service.database, { ...input, workspaceId });
  const cookie = await logInAs(service.urls.console, email, testPassword);
  return createClient(service.urls.console, { operatorId, email, workspaceId, cookie });
}

/** Logs an existing operator in. Returns the `Cookie` header's value. */
export async function logInAs(consoleUrl: string, email: string, password: string): Promise<string> {
  const { status, headers, text } = await send(`${consoleUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: consoleUrl },
    body: JSON.stringify({ email, password }),
  });
  if (status !== 200) throw new Error(`The log-in was answered ${status}: ${text}`);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Creates a client that sends a cookie (`''` for none: an anonymous caller). */
export function createClient(
  consoleUrl: string,
  operator: { operatorId: string; email: string; workspaceId: string; cookie: string },
): OperatorClient {
  const by =
    (method: string): Send =>
    async (path, options = {}) => {
      const url = new URL(consoleUrl + path);
      if (options.env !== null) {
        url.searchParams.set('organizationId', options.organizationId ?? operator.workspaceId);
        url.searchParams.set('env', options.env ?? 'sandbox');
      }
      for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
      const { status, headers, text } = await send(url, {
        method,
        headers: {
          Origin: consoleUrl,
          ...(operator.cookie === '' ? {} : { Cookie: operator.cookie }),
          ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
      return { status, headers, body: JSON.parse(text || '{}') as ConsoleAnswer['body'] };
    };
  return {
    ...operator,
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
  };
}
