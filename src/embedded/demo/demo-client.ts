import { setTimeout as pause } from 'node:timers/promises';
import { abortAfter } from '../../clock/abort-after';
import type { DemoFile } from './demo-file';

/** Timeout of one attempt, and pause before the next. */
const ATTEMPT_MS = 15_000;
const PAUSE_MS = 500;

interface DemoAnswer {
  status: number;
  body: unknown;
}

interface DemoRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  /** Same key for the same request, so that a request whose answer was lost is carried out once. */
  idempotencyKey?: string;
}

/** Calls to the running service, as its operator and as the application. Each is retried until it is answered. */
export interface DemoClient {
  /**
   * @throws Error with the answer's text if the request is refused, except a read that finds nothing; the reason of
   *   `ended`
   */
  console(request: DemoRequest): Promise<DemoAnswer>;
  sandbox(request: DemoRequest): Promise<DemoAnswer>;
}

/** Logs the demo's operator in. @param ended ends all waiting. @throws Error if it is refused */
export async function createDemoClient(demo: DemoFile, ended: AbortSignal): Promise<DemoClient> {
  const login = await settled(ended, () =>
    send(`${demo.consoleUrl}/api/auth/login`, { method: 'POST', body: demo.operator }, {}, ended),
  );
  if (!login.ok) throw new Error(`the operator could not log in: ${reasonOf(await login.json())}`);
  const cookie = login.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const workspace = new URLSearchParams({ organizationId: demo.organizationId, env: 'sandbox' });
  const call = async (url: string, request: DemoRequest, headers: Record<string, string>) => {
    const answer = await settled(ended, () => send(url, request, headers, ended));
    const body: unknown = await answer.json();
    if (answer.ok || (request.method === 'GET' && answer.status === 404))
      return { status: answer.status, body };
    throw new Error(`${request.method} ${request.path} was answered ${answer.status}: ${reasonOf(body)}`);
  };
  return {
    console: (request) => {
      const separator = request.path.includes('?') ? '&' : '?';
      const url = `${demo.consoleUrl}/api${request.path}${separator}${workspace.toString()}`;
      return call(url, request, { Cookie: cookie.join('; ') });
    },
    sandbox: (request) =>
      call(`${demo.sandboxBaseUrl}${request.path}`, request, { Authorization: `Bearer ${demo.sandboxKey}` }),
  };
}

/** Retries until the outcome is final: a process may be restarting, or a command may still be in progress. */
async function settled(ended: AbortSignal, attempt: () => Promise<Response>): Promise<Response> {
  for (;;) {
    ended.throwIfAborted();
    const answer = await attempt().catch(() => undefined);
    if (answer !== undefined && ![202, 429, 502, 503, 504].includes(answer.status)) return answer;
    await answer?.body?.cancel();
    await pause(PAUSE_MS);
  }
}

function send(
  url: string,
  { method, body, idempotencyKey }: Omit<DemoRequest, 'path'>,
  headers: Record<string, string>,
  ended: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: abortAfter(ATTEMPT_MS, ended),
  });
}

function reasonOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'detail' in body ? String(body.detail) : String(body);
}
