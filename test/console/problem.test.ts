import { fetchWhole } from '../../console/src/api/fetch-whole';
import { problemOf as problemBehind, readProblem } from '../../console/src/api/problem';

const ours = {
  type: 'about:blank',
  title: 'The service is overloaded.',
  status: 503,
  detail: 'Nothing was done.',
  code: 'service_busy',
  fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  requestId: 'req_1',
};

const KEYS = 'https://console.test/api/api-keys';

async function problemOf(body: unknown, { status = 503, method = 'POST', url = KEYS } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '7' };
  return (await readProblem(new Response(text, { status, headers }), { method, url })).problem;
}

test('a problem of the service is shown as it is, with the seconds to wait', async () => {
  const fix = 'Wait for 7 seconds and send the same request again.';
  expect(await problemOf(ours)).toEqual({ ...ours, fix });
});

test.each([
  ['with the standard’s members only', { type: 'about:blank', title: 'Bad Gateway', status: 502 }],
  ['without a fix', { ...ours, fix: undefined }],
  ['with a code that is no text', { ...ours, code: 17 }],
  ['that is null', null],
  ['that is a list', []],
  ['that is cut off', '{"title":"Bad Gat'],
  ['that is empty', ''],
])('a problem %s is not the service’s', async (_, body) => {
  expect(await problemOf(body)).toMatchObject({
    status: 503,
    code: 'answer_unknown',
    detail: 'The server answered 503, and not as the API does. It may have been done anyway.',
  });
  expect(await problemOf(body, { status: 429 })).toMatchObject({
    status: 429,
    detail: 'The server answered 429, and not as the API does.',
  });
});

test.each([
  ['GET', '/api/api-keys?env=sandbox', false],
  ['DELETE', '/api/api-keys/key_1', true],
  ['POST', '/api/billing/subscriptions/sub_1/change?env=sandbox', true],
  ['POST', '/api/billing/subscriptions/sub_1/change?env=sandbox&dryRun=true', false],
  ['POST', '/api/webhooks/whk_1/replay?env=sandbox&dryRun=true', false],
  ['POST', '/api/auth/invitations/accept', true],
  ['POST', '/api/auth/invitations/look-up', false],
  ['POST', '/api/auth/reset-links/look-up', false],
  ['POST', '/api/customers/cus_1/check?env=sandbox', false],
])('after a %s of %s without an answer, it may have been done: %s', async (method, path, mayBeDone) => {
  const request = new Request(`https://console.test${path}`, { method });
  const answered = await problemOf('', request);
  const [unreached, silent] = [
    await unanswered(request, 'unreachable'),
    await unanswered(request, 'no_answer'),
  ];
  for (const { detail, fix } of [answered, unreached, silent]) {
    expect(detail.includes('It may have been done anyway.')).toBe(mayBeDone);
    expect(/check whether it was done/i.test(fix)).toBe(mayBeDone);
  }
});

/** Returns the problem of a request that fails at once, or that gets no answer in time. */
async function unanswered(request: Request, code: 'unreachable' | 'no_answer') {
  jest.useFakeTimers();
  const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    const failure = new TypeError('Failed to fetch');
    if (code === 'unreachable') return Promise.reject(failure);
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => {
        reject(failure);
      });
    });
  });
  try {
    const failed = fetchWhole(request).catch(problemBehind);
    await jest.runAllTimersAsync();
    const problem = await failed;
    expect(problem).toMatchObject({ code });
    return problem as ReturnType<typeof problemBehind>;
  } finally {
    fetching.mockRestore();
    jest.useRealTimers();
  }
}
