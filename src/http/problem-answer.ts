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

/**
 * The problems of a request's parts, each as if the part had been a request; each cause is logged once, for one
 * outage can fail a thousand of them.
 */
export function partProblems(options: AnswerOptions, about: About): (failure: unknown) => ProblemAnswer {
  let logged: Set<string> | undefined;
  return (failure) => problemAnswer(options, about, failure, (logged ??= new Set()));
}

/**
 * The answer to a request that failed; a failure of ours is logged.
 *
 * @param logged causes that are not logged again
 */
export function problemAnswer(
  options: AnswerOptions,
  about: About,
  failure: unknown,
  logged = new Set<string>(),
): ProblemAnswer {
  const error = options.translateError(failure);
  const problem = toTollgateError(error);
  // One cause, one line.
  const cause = `${problem.code} ${error instanceof Error ? error.message : ''}`;
  if (problem.status >= 500 && !logged.has(cause)) logFailure(options.log, about, problem, error);
  logged.add(cause);
  const headers: Record<string, string> = {};
  if (problem.retryAfter !== undefined) headers['Retry-After'] = String(problem.retryAfter);
  // Sessions are cookies, for which HTTP has no scheme.
  if (problem.status === 401 && problem.code.startsWith('api_key_')) headers['WWW-Authenticate'] = 'Bearer';
  const body = JSON.stringify(problemOf(problem, about.requestId, options.publicUrl));
  return { status: problem.status, headers, body };
}

function logFailure(log: Logger, about: About, problem: TollgateError, error: unknown): void {
  if (problem.status !== 503) {
    log.error({ ...about, err: error }, 'a request failed');
    return;
  }
  // It is expected while something is away: where it was thrown says nothing that the reason does not.
  const { code, detail } = problem;
  log.warn({ ...about, code, detail, reason: reasonOf(problem) }, 'a request failed');
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
