import type { Logger } from 'pino';
import { TollgateError, isTollgateError } from '../domain/errors';
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

/** The request that failed, for the log. */
interface About {
  requestId: string;
  method: string;
  /** The route's template. */
  route: string;
}

/** An answer that is a problem: JSON text, and the headers beside its Content-Type. */
export interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** The answer to a request that failed; a failure of ours is logged. */
export function problemAnswer(options: AnswerOptions, about: About, failure: unknown): ProblemAnswer {
  const error = options.translateError(failure);
  const problem = toTollgateError(error);
  if (problem.status === 503) {
    // It is expected while something is away: where it was thrown says nothing that the reason does not.
    const { code, detail } = problem;
    options.log.warn({ ...about, code, detail, reason: reasonOf(problem) }, 'a request failed');
  } else if (problem.status >= 500) {
    options.log.error({ ...about, err: error }, 'a request failed');
  }
  const headers: Record<string, string> = {};
  if (problem.retryAfter !== undefined) headers['Retry-After'] = String(problem.retryAfter);
  // The console's sessions are cookies, for which HTTP has no scheme.
  if (problem.status === 401 && options.host !== 'console') headers['WWW-Authenticate'] = 'Bearer';
  const body = JSON.stringify(problemOf(problem, about.requestId, options.publicUrl));
  return { status: problem.status, headers, body };
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
