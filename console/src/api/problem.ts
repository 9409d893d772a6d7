import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { invalidate } from './invalidate.ts';
import type { components } from './schema.d.ts';

export type Problem = components['schemas']['Problem'];
type Refusal = NonNullable<components['schemas']['Operation']['problem']>;

/** A failed request, as explained by the API (RFC 9457), or by the browser. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/**
 * Returns whether a successful response is the service's own, not a proxy's or a captive portal's sign-in page, and
 * whole: a proxy may also cut it off.
 */
export async function isWholeAnswer(response: Response, request: Pick<Request, 'method'>): Promise<boolean> {
  if (response.status === 204) return request.method !== 'GET';
  if (!(response.headers.get('content-type') ?? '').startsWith('application/json')) return false;
  const text = await response.clone().text();
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Paths that only read, although they are requested by POST. */
const READING_PATH = /\/(?:look-up|check)$/;

/** Returns whether a request changes nothing: it reads, looks a link up, or asks for a preview or a check. */
export function onlyReads({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  if (method === 'GET') return true;
  const { pathname, searchParams } = new URL(url);
  return searchParams.get('dryRun') === 'true' || READING_PATH.test(pathname);
}

/**
 * Reads the problem from a response that is unsuccessful, or not the service's. A proxy's page contains nothing that
 * could be shown, and a successful one says nothing about the outcome.
 */
export async function readProblem(
  response: Response,
  request: Pick<Request, 'method' | 'url'>,
): Promise<ProblemError> {
  const problem = await problemIn(response);
  if (problem !== undefined) return new ProblemError({ ...problem, fix: withWait(problem.fix, response) });
  // A proxy also gives up on what the service goes on with.
  const mayBeDone = !onlyReads(request) && (response.ok || response.status >= 500);
  return new ProblemError({
    type: 'about:blank',
    title: 'The response did not come from the service',
    status: response.ok ? 0 : response.status,
    detail: `The server answered ${response.status}, and not as the API does.${mayBeDone ? ' It may have been done anyway.' : ''}`,
    code: 'answer_unknown',
    fix: `A proxy between the browser and the service may have answered. ${mayBeDone ? 'Check whether it was done, and if not, try again' : 'Try again'}, or ask its administrator.`,
    requestId: response.headers.get('request-id') ?? '',
  });
}

/** Returns the service's problem in a response; undefined if there is none. A proxy may answer in the same format. */
async function problemIn(response: Response): Promise<Problem | undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) return undefined;
  const body: unknown = await response.json().catch(() => null);
  return isProblem(body) ? body : undefined;
}

/** The members with which the console explains a problem. RFC 9457 defines the first two, and requires none. */
const SHOWN = ['title', 'detail', 'code', 'fix', 'requestId'] as const;

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const members: Partial<Record<string, unknown>> = { ...body };
  return typeof members['status'] === 'number' && SHOWN.every((name) => typeof members[name] === 'string');
}

/** Returns a fix with the seconds to wait, because a page does not show its reader the header. */
function withWait(fix: string, response: Response): string {
  const seconds = response.headers.get('retry-after');
  const wait = seconds === null ? 'a few seconds' : seconds === '1' ? 'a second' : `${seconds} seconds`;
  return fix.replace('the seconds in `Retry-After`', wait);
}

/**
 * Returns the error of a request without a response.
 *
 * @param mayBeDone whether it changes something, because it may have reached the service
 */
export function unreachable(mayBeDone: boolean): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'The service cannot be reached',
    status: 0,
    detail: `The request got no response.${mayBeDone ? ' It may have been done anyway.' : ''}`,
    code: 'unreachable',
    fix: `Check the connection. If it works, the service may be restarting: ${mayBeDone ? 'check whether it was done, and if not, try again.' : 'try again in a moment.'}`,
    requestId: '',
  });
}

/**
 * Returns the error of a request that was not answered in time. It is not retried automatically.
 *
 * @param mayBeDone whether it changes something, because the service may have received it
 */
export function noAnswer(mayBeDone: boolean, seconds: number): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'The service does not answer',
    status: 0,
    detail: `No answer came within ${seconds} seconds.${mayBeDone ? ' It may have been done anyway.' : ''}`,
    code: 'no_answer',
    fix: mayBeDone
      ? 'Check whether it was done. If not, try again: this form never moves money or units twice.'
      : 'Try again in a moment.',
    requestId: '',
  });
}

/** Returns the error of a command that was accepted and then refused. */
export function refusedLater({ errors, ...refusal }: Refusal): ProblemError {
  return new ProblemError({
    ...refusal,
    type: 'about:blank',
    requestId: '',
    ...(errors !== undefined && { errors: errors as NonNullable<Problem['errors']> }),
  });
}

/** @returns the problem behind a failure of a query or a command; any other error is a defect, and is shown as one */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return {
    type: 'about:blank',
    title: 'The console has failed',
    status: 0,
    detail: error instanceof Error ? error.message : String(error),
    code: 'console_error',
    fix: 'Reload the page. If it happens again, report it and quote this message.',
    requestId: '',
  };
}

/** Returns whether the service, and not a proxy, has answered that something does not exist. */
export function isNotFound(error: unknown): boolean {
  const { status, code } = problemOf(error);
  return status === 404 && code !== 'answer_unknown';
}

/** Returns whether what the page shows may be outdated: the outcome is unknown, or the state has changed. */
export function isPageOutdated(error: unknown): boolean {
  return isOutcomeUnknown(error) || [404, 409].includes(problemOf(error).status);
}

/** Reads these queries again if the page may show something that has changed. */
export function refreshIfOutdated(queries: QueryClient, error: unknown, keys: readonly QueryKey[]): void {
  if (!isPageOutdated(error)) return;
  void invalidate(queries, keys);
}

/** Returns whether the outcome of a request is unknown: no answer came, or something in between failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  const { status } = problemOf(error);
  return status === 0 || status >= 500;
}
