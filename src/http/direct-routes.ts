import type { IncomingMessage, ServerResponse } from 'node:http';
import { newIdentifier } from '../identifiers/identifier';
import { callerAddress } from './caller-address';
import type { Authenticators, PendingAnswer } from './incoming';
import { partProblems, problemAnswer, PROBLEM_TYPE, type AnswerOptions } from './problem-answer';
import { readCall } from './read-call';
import type { Call, Reply, Route } from './route';

export interface DirectOptions extends AnswerOptions {
  routes: readonly Route[];
  authenticators: Authenticators;
  trustedProxies: number;
}

/** Answers one request; never rejects. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Indexes the routes that are served without Koa, by method and exact address (docs/decisions/direct-routes.md). They
 * handle a request as `answerProblems` and `serve` handle the others, with the same `readCall` and `problemAnswer`. Any
 * other form of the address (a query, a trailing slash) goes to Koa.
 *
 * @returns the handler of a request's route; undefined if Koa serves it
 */
export function directRoutes(
  options: DirectOptions,
): (request: IncomingMessage) => RequestHandler | undefined {
  const handlers = new Map<string | undefined, { method: string; handle: RequestHandler }>();
  for (const route of options.routes) {
    if (route.direct !== true) continue;
    const handle: RequestHandler = (request, response) => serveDirectly(options, route, request, response);
    handlers.set(route.path, { method: route.method.toUpperCase(), handle });
  }
  return ({ method, url }) => {
    const found = handlers.get(url);
    return found?.method === method ? found?.handle : undefined;
  };
}

async function serveDirectly(
  options: DirectOptions,
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const requestId = newIdentifier('request');
  const { path } = route;
  let status: number;
  const answer: PendingAnswer = { headers: {}, release: undefined };
  const about = { requestId, method: route.method.toUpperCase(), route: path };
  try {
    const ip = callerAddress(request, options.trustedProxies);
    const problemOf = partProblems(options, about);
    const routed = { request, path, querystring: '', params: undefined, ip, requestId, answer, problemOf };
    const call = await readCall(options.authenticators, route, routed, undefined);
    const reply = await route.handle(call as Call<never, never, never, never>);
    status = reply.status;
    send(response, requestId, reply, answer.headers);
  } catch (error) {
    const problem = problemAnswer(options, about, error);
    status = problem.status;
    // The unread body would otherwise be parsed as the next request on this connection.
    if (!request.complete) problem.headers['Connection'] = 'close';
    const headers = { ...answer.headers, ...problem.headers };
    write(response, requestId, { status, type: PROBLEM_TYPE, headers, body: problem.body });
  }
  answer.release?.();
  options.metrics.observe(options.host, path, status, (performance.now() - started) / 1_000);
}

function send(
  response: ServerResponse,
  requestId: string,
  { status, headers, body }: Reply,
  shared: Record<string, string>,
): void {
  if (typeof body !== 'string') throw new Error('A direct route answers JSON text.');
  const all = headers === undefined ? shared : { ...shared, ...headers };
  write(response, requestId, { status, type: 'application/json; charset=utf-8', headers: all, body });
}

/**
 * Writes the whole answer at once: Node then writes head and body in one system call, and builds no table of headers.
 */
function write(
  response: ServerResponse,
  requestId: string,
  { status, type, headers, body }: { status: number; type: string; headers: Reply['headers']; body: string },
): void {
  // The caller has disconnected.
  if (response.destroyed) return;
  const lines: (string | string[])[] = [
    'Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
    'Content-Type',
    type,
    'Content-Length',
    String(Buffer.byteLength(body)),
  ];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  response.writeHead(status, lines as string[]).end(body);
}
