import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import { createCustomer } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { createKey } from '../support/workspace';
import { useService } from '../support/use-service';

/** Rights revoked while an admitted request is still arriving. */
const service = useService();
let owner: OperatorClient;
beforeAll(async () => {
  owner = await logIn(service, { role: 'owner' });
});

interface Slow {
  request: ClientRequest;
  answer: Promise<{ status: number; code: unknown }>;
}

/** Sends the head of a request and the beginning of its body, and resolves once the service has admitted it. */
async function begin(url: string, method: string, headers: Record<string, string>): Promise<Slow> {
  const sent = request(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
      Expect: '100-continue',
      ...headers,
    },
  });
  const answer = answerOf(sent);
  sent.flushHeaders();
  await once(sent, 'continue');
  return { request: sent, answer };
}

async function answerOf(sent: ClientRequest): Promise<{ status: number; code: unknown }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: unknown };
  return { status: response.statusCode ?? 0, code: body.code };
}

test.each([
  ['check', '/v1/usage/check', { externalId: 'late', feature: 'none', quantity: 1 }],
  ['a batch', '/v1/usage/batch', { events: [{ idempotencyKey: 'late-1' }] }],
  ['a customer', '/v1/customers/late', { name: 'Late' }],
] as const)('a key that was revoked while the body of %s arrived does nothing', async (_, path, body) => {
  const scope = { workspaceId: owner.workspaceId, environment: 'sandbox' } as const;
  const key = await createKey(service.database, scope, KEY_SCOPES);
  const method = path.startsWith('/v1/customers') ? 'PUT' : 'POST';
  const slow = await begin(service.urls.sandbox + path, method, { Authorization: `Bearer ${key}` });
  const keys = (await owner.get('/api/api-keys')).body['data'] as { id: string }[];
  for (const { id } of keys) await owner.post(`/api/api-keys/${id}/revoke`);
  slow.request.end(JSON.stringify(body));
  expect(await slow.answer).toEqual({ status: 401, code: 'api_key_revoked' });
});

test('an operator whose session ended while a body that says nothing arrived does nothing', async () => {
  const { id } = await createCustomer(owner);
  const admin = await logIn(service, { role: 'admin', workspaceId: owner.workspaceId });
  const url = `${service.urls.console}/api/customers/${id}?organizationId=${owner.workspaceId}&env=sandbox`;
  const slow = await begin(url, 'DELETE', { Cookie: admin.cookie, Origin: service.urls.console });
  await owner.delete(`/api/organizations/${owner.workspaceId}/members/${admin.operatorId}`, { env: null });
  slow.request.end('{}');
  expect(await slow.answer).toEqual({ status: 401, code: 'session_required' });
});
