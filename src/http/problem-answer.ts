import type { Logger } from 'pino';
import { TollgateError, isTollgateError } from '../domain/errors';
import type { HttpMetrics } from '../telemetry/http-metrics';
import { brokenAddress } from './broken-address';
import { challengeOf } from './challenge';
import { problemOf } from './problem';

export interface AnswerOptions {
  /** Which of the three hosts this is, for metrics and logs. */
  host: 'console' | 'sandbox' | 'production';
  /** The host's own public address, the base of `/docs/errors`. */
  publicUrl: string;
  log: Logger;
  metrics: HttpMetrics;
  /**
   * Translates an infrastructure failure (the database is unavailable) to our codes; returns anything else unchanged.
   */
  translateError: (error: unknown) => unknown;
}

/** The request that failed, for the log. */
interface About {
  requestId: string;
  method: string;
  /** The route's template. */
  route: string;
}

/** An answer that is a problem: JSON text, and its headers other than Content-Type. */
export interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

/**
 * Builds problems for parts of a request, each as if the part were its own request. Each cause is logged once, because
 * one outage can fail a thousand parts.
 */
export function partProblems(options: AnswerOptions, about: About): (failure: unknown) => ProblemAnswer {
  let logged: Set<string> | undefined;
  return (failure) => problemAnswer(options, about, failure, (logged ??= new Set()));
}

/**
 * Builds the answer to a failed request; an internal failure is logged.
 *
 * @param logged causes already logged
 */
export function problemAnswer(
  options: AnswerOptions,
  about: About,
  failure: unknown,
  logged = new Set<string>(),
): ProblemAnswer {
  const error = options.translateError(failure);
  const problem = toTollgateError(error);
  // Each cause is logged in one line.
  const cause = `${problem.code} ${error instanceof Error ? error.message : ''}`;
  if (problem.status >= 500 && !logged.has(cause)) logFailure(options, about, problem, error);
  logged.add(cause);
  const headers: Record<string, string> = {};
  if (problem.retryAfter !== undefined) headers['Retry-After'] = String(problem.retryAfter);
  const challenge = challengeOf(problem);
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  const body = JSON.stringify(problemOf(problem, about.requestId, options.publicUrl));
  return { status: problem.status, headers, body };
}

function logFailure(
  { log, host }: AnswerOptions,
  request: About,
  problem: TollgateError,
  error: unknown,
): void {
  // Of production or of a sandbox: both hosts have the same routes.
  const about = { host, ...request };
  if (problem.status !== 503) {
    log.error({ ...about, err: error }, 'a request failed');
    return;
  }
  // Expected during an outage: the stack adds nothing to the reason.
  const { code, detail } = problem;
  log.warn({ ...about, code, detail, reason: reasonOf(problem) }, 'a request failed');
}

/** Returns the root cause in a few words; the message of a failed statement may span many lines. */
function reasonOf(problem: TollgateError): string | undefined {
  let cause: unknown = problem.cause;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '').slice(0, 200) : undefined;
}

function toTollgateError(error: unknown): TollgateError {
  if (isTollgateError(error)) return error;
  // A malformed URL (a broken percent-encoding), as Koa and its router report it.
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return brokenAddress();
  }
  return new TollgateError('internal_error', 'Something went wrong on our side. Nothing was recorded.');
}
