import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { z } from 'zod';
import { emitJson } from './json';

export interface ProblemDetail {
  issue: string;
  description: string;
  field?: string;
  value?: string;
  location?: 'body' | 'path' | 'query' | 'header';
}

/** An error response of provider B, with a debug id. */
export class ProviderProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ProblemDetail[] = [],
  ) {
    super(message);
  }
}

/** The response to a refused token or client, whose shape differs from other errors. */
export class AuthenticationProblem extends Error {
  constructor(
    readonly code: 'invalid_client' | 'invalid_token' | 'unsupported_grant_type',
    message: string,
    readonly status = 401,
  ) {
    super(message);
  }
}

/** Returns a 422: understood, but not possible now. */
export function unprocessable(issue: string, description: string): ProviderProblem {
  return new ProviderProblem(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    [{ issue, description }],
  );
}

export function invalidRequest(details: readonly ProblemDetail[]): ProviderProblem {
  return new ProviderProblem(
    400,
    'INVALID_REQUEST',
    'Request is not well-formed, syntactically incorrect, or violates schema.',
    details,
  );
}

/** Reads the query parameters. @throws ProviderProblem INVALID_REQUEST */
export function readQuery<T>(ctx: Context, shape: z.ZodType<T>): T {
  const read = shape.safeParse(ctx.query);
  if (read.success) return read.data;
  throw invalidRequest(
    read.error.issues.map((issue) => ({
      field: issue.path.join('/'),
      location: 'query',
      issue: 'INVALID_PARAMETER_SYNTAX',
      description: issue.message,
    })),
  );
}

export function notFound(): ProviderProblem {
  return new ProviderProblem(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    {
      issue: 'INVALID_RESOURCE_ID',
      description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
    },
  ]);
}

export function newDebugId(): string {
  return randomBytes(7).toString('hex').slice(0, 13);
}

/** Sets the debug id of every response, and renders errors thrown by the routes. */
export async function answerProblems(ctx: Context, next: Next): Promise<void> {
  const debugId = newDebugId();
  ctx.set('Paypal-Debug-Id', debugId);
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined) throw notFound();
  } catch (error) {
    if (error instanceof AuthenticationProblem) {
      answer(ctx, error.status, { error: error.code, error_description: error.message });
    } else if (error instanceof ProviderProblem) {
      answer(ctx, error.status, {
        name: error.code,
        message: error.message,
        debug_id: debugId,
        ...(error.details.length === 0 ? {} : { details: error.details }),
        links: [
          {
            href: `https://developer.paypal.com/api/rest/responses/#${error.code}`,
            rel: 'information_link',
            method: 'GET',
          },
        ],
      });
    } else throw error;
  }
}

/** Answers with JSON in provider B's notation. */
export function answer(ctx: Context, status: number, body: unknown): void {
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = emitJson(body);
}
