import { newIdentifier } from '../../src/identifiers/identifier';
import { roles, type Role } from '../../src/operators/roles';
import { createClient, createOperator, logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/**
 * Which role may do what to an organization as a whole. Every act that is expected to be allowed is really carried out.
 */
const service = useService();
let workspaceId: string;
const callers = new Map<string, OperatorClient>();
beforeAll(async () => {
  ({ workspaceId } = await createWorkspace(service.database));
  const nobody = { operatorId: '', email: '', workspaceId, cookie: '' };
  callers.set('anonymous', createClient(service.urls.console, nobody));
  callers.set('stranger', await logIn(service, { role: 'owner' }));
  callers.set('administrator', await logIn(service, { platformAdministrator: true }));
  for (const role of roles) callers.set(role, await logIn(service, { role, workspaceId }));
});

const member = async (role: Role): Promise<string> =>
  (await createOperator(service.database, { workspaceId, role })).operatorId;

async function invitation(role: Role): Promise<string> {
  const id = newIdentifier('invitation');
  const inviter = callers.get('owner')?.operatorId;
  await service.database.query(
    `INSERT INTO tollgate.member_invitations (workspace_id, id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, $2 || '@example.test', $3, sha256($2::bytea), $4, now(), now() + interval '1 day')`,
    [workspaceId, id, role, inviter],
  );
  return id;
}

/** An act, the lowest role allowed to perform it, and its status on success. */
interface Act {
  name: string;
  least: Role;
  status: number;
  run: (
    client: OperatorClient,
    organization: string,
  ) => Promise<{ status: number; body: Record<string, unknown> }>;
}
const none = { env: null } as const;
const acts: Act[] = [
  { name: 'read it', least: 'viewer', status: 200, run: (client, path) => client.get(path, none) },
  {
    name: 'rename it',
    least: 'admin',
    status: 200,
    run: (client, path) => client.patch(path, { ...none, body: { name: 'Acme' } }),
  },
  {
    name: 'list members',
    least: 'viewer',
    status: 200,
    run: (client, path) => client.get(`${path}/members`, none),
  },
  {
    name: 'list invitations',
    least: 'admin',
    status: 200,
    run: (client, path) => client.get(`${path}/invitations`, none),
  },
  {
    name: 'review what people made that goes on',
    least: 'admin',
    status: 200,
    run: (client, path) => client.get(`${path}/access-review`, none),
  },
  ...roles.flatMap((role): Act[] => {
    const least = role === 'owner' ? 'owner' : 'admin';
    return [
      {
        name: `invite a ${role}`,
        least,
        status: 201,
        run: (client, path) =>
          client.post(`${path}/members`, {
            ...none,
            body: { email: `${newIdentifier('operator')}@example.test`, role },
          }),
      },
      {
        name: `revoke the invitation of a ${role}`,
        least,
        status: 204,
        run: async (client, path) => client.delete(`${path}/invitations/${await invitation(role)}`, none),
      },
      {
        name: `make a viewer a ${role}`,
        least,
        status: 200,
        run: async (client, path) =>
          client.patch(`${path}/members/${await member('viewer')}`, { ...none, body: { role } }),
      },
      {
        name: `make a ${role} a viewer`,
        least,
        status: 200,
        run: async (client, path) =>
          client.patch(`${path}/members/${await member(role)}`, { ...none, body: { role: 'viewer' } }),
      },
      {
        name: `take a ${role} out`,
        least,
        status: 200,
        run: async (client, path) => client.delete(`${path}/members/${await member(role)}`, none),
      },
    ];
  }),
];

function expected(caller: string, act: Act): { status: number; code: string | undefined } {
  if (caller === 'anonymous') return { status: 401, code: 'session_required' };
  const held = roles.find((role) => role === caller);
  if (held === undefined) return { status: 404, code: 'organization_forbidden' };
  const allowed = roles.indexOf(held) >= roles.indexOf(act.least);
  return allowed ? { status: act.status, code: undefined } : { status: 403, code: 'role_forbidden' };
}

describe.each(['anonymous', 'stranger', 'administrator', ...roles])('%s', (caller) => {
  test.each(acts.map((act): [string, Act] => [act.name, act]))('may or may not %s', async (_name, act) => {
    const client = callers.get(caller);
    if (client === undefined) throw new Error(`There is no caller ${caller}.`);
    const { status, body } = await act.run(client, `/api/organizations/${workspaceId}`);
    expect({ status, code: body['code'] }).toEqual(expected(caller, act));
  });
});
