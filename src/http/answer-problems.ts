import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import { TollgateError, isTollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import type { HttpMetrics } from '../telemetry/http-metrics';
import { problemOf } from './problem';

export interface AnswerOptions {
  /** Which of the three hosts this is, for metrics and logs. */
  host: 'console' | 'sandbox' | 'production';
  /** The host's own public address, under which `/docs/errors` opens. */
  publicUrl: string;
  log: Logger;
  metrics: HttpMetrics;
  /** Says an infrastructure failure (the database is away) in our codes; anything else comes back as it is. */
  translateError: (error: unknown) => unknown;
}

/** The outermost middleware: each answer has a Request-Id and is measured, each failure becomes a problem. */
export async function answerProblems(options: AnswerOptions, ctx: Context, next: Next): Promise<void> {
  const started = process.hrtime.bigint();
  const requestId = newIdentifier('request');
  (ctx.state as { requestId: string }).requestId = requestId;
  ctx.set('Request-Id', requestId);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  try {
    await next();
  } catch (error) {
    answerProblem(options, ctx, requestId, options.translateError(error));
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  options.metrics.observe(options.host, routeName(ctx), ctx.status, seconds);
}

function answerProblem(options: AnswerOptions, ctx: Context, requestId: string, error: unknown): void {
  const problem = toTollgateError(error);
  const about = { requestId, method: ctx.method, route: routeName(ctx) };
  if (problem.status === 503) {
    // It is expected while something is away: where it was thrown says nothing that the reason does not.
    const { code, detail } = problem;
    options.log.warn({ ...about, code, detail, reason: reasonOf(problem) }, 'a request failed');
  } else if (problem.status >= 500) {
    options.log.error({ ...about, err: error }, 'a request failed');
  }
  ctx.status = problem.status;
  if (problem.retryAfter !== undefined) ctx.set('Retry-After', String(problem.retryAfter));
  // The console's sessions are cookies, for which HTTP has no scheme.
  if (problem.status === 401 && options.host !== 'console') ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body = JSON.stringify(problemOf(problem, requestId, options.publicUrl));
  ctx.type = 'application/problem+json';
  // A body that was refused unread would otherwise be read as the next request on this connection.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
}

/** What is at the bottom of it, in a few words; the message of a failed statement may go over many lines. */
function reasonOf(problem: TollgateError): string | undefined {
  let cause: unknown = problem.cause;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '').slice(0, 200) : undefined;
}

function toTollgateError(error: unknown): TollgateError {
  if (isTollgateError(error)) return error;
  // What the client did to the URL (a broken percent-encoding), as Koa and its router report it.
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return new TollgateError('validation_failed', 'The address of the request is not a valid URL.');
  }
  return new TollgateError('internal_error', 'Something went wrong on our side. Nothing was recorded.');
}

function routeName(ctx: Context): string {
  return typeof ctx['_matchedRoute'] === 'string' ? ctx['_matchedRoute'] : 'unmatched';
}
