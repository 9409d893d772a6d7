import { request } from 'node:http';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** `Expect: 100-continue`: a body is invited only once the service is going to read it. */
const service = useService();
let key: string;
beforeAll(async () => {
  key = (await createWorkspace(service.database)).sandboxKey;
});

interface Outcome {
  invited: boolean;
  status: number;
  connection: string | undefined;
}

/** Sends the body only when it is invited, as curl and SDKs do. */
function hold(
  method: string,
  url: string,
  headers: Record<string, string>,
  body = '{"customerId":"c"}',
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let invited = false;
    const sent = request(url, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        Expect: '100-continue',
        ...headers,
      },
    });
    sent.once('continue', () => {
      invited = true;
      sent.end(body);
    });
    sent.once('response', (response) => {
      const { statusCode: status = 0 } = response;
      response.resume().once('end', () => {
        sent.destroy();
        resolve({ invited, status, connection: response.headers.connection });
      });
    });
    sent.once('error', reject);
    sent.flushHeaders();
  });
}

const bearer = () => ({ Authorization: `Bearer ${key}` });
const large = '{"customerId":"' + 'x'.repeat(200_000) + '"}';

test('a body that will be read is invited', async () => {
  const url = `${service.urls.sandbox}/v1/usage/check`;
  expect(await hold('POST', url, bearer())).toMatchObject({ invited: true, status: 400 });
  const login = `${service.urls.console}/api/auth/login`;
  expect(await hold('POST', login, {})).toMatchObject({ invited: true, status: 400 });
});

test.each<[number, string, () => Promise<Outcome>]>([
  [401, 'no key', () => hold('POST', `${service.urls.sandbox}/v1/usage/check`, {})],
  [401, 'no session', () => hold('POST', `${service.urls.console}/api/plans?env=sandbox`, {})],
  [404, 'no route', () => hold('POST', `${service.urls.sandbox}/v1/nothing`, bearer())],
  [405, 'another method', () => hold('PUT', `${service.urls.sandbox}/v1/usage/check`, bearer())],
  [413, 'too long', () => hold('POST', `${service.urls.sandbox}/v1/usage/check`, bearer(), large)],
  [
    415,
    'text',
    () =>
      hold('POST', `${service.urls.sandbox}/v1/usage/check`, { ...bearer(), 'Content-Type': 'text/plain' }),
  ],
])('%d: %s is refused without its body', async (status, _what, send) => {
  // The caller may send the body anyway, so nothing more is read on this connection.
  expect(await send()).toEqual({ invited: false, status, connection: 'close' });
});

test('a caller that is refused for a flood is not invited to send its body', async () => {
  const url = `${service.urls.console}/api/auth/login`;
  let last = await hold('POST', url, {});
  for (let n = 0; n < 200 && last.status !== 429; n += 1) last = await hold('POST', url, {});
  expect(last).toEqual({ invited: false, status: 429, connection: 'close' });
});

test('expectations other than 100-continue are ignored', async () => {
  const url = `${service.urls.sandbox}/v1/events`;
  const answer = await fetch(url, { headers: bearer() });
  expect(answer.status).toBe(200);
  const expecting = new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers: { ...bearer(), Expect: 'a miracle' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject).end();
  });
  expect(await expecting).toBe(200);
});
