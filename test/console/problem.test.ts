import { readProblem } from '../../console/src/api/problem';

const ours = {
  type: 'about:blank',
  title: 'The service is overloaded.',
  status: 503,
  detail: 'Nothing was done.',
  code: 'service_busy',
  fix: 'Wait for the seconds in `Retry-After` and send the same request again.',
  requestId: 'req_1',
};

async function problemOf(body: unknown, { status = 503, method = 'POST' } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '7' };
  return (await readProblem(new Response(text, { status, headers }), method)).problem;
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
