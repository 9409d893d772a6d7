import type { Context, Next } from 'koa';
import { newIdentifier } from '../identifiers/identifier';
import { problemAnswer, PROBLEM_TYPE, type AnswerOptions } from './problem-answer';

/** Runs as the outermost middleware: gives each answer a Request-Id, measures it, and converts failures to problems. */
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
    answerProblem(options, ctx, requestId, error);
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  options.metrics.observe(options.host, routeName(ctx), ctx.status, seconds);
}

function answerProblem(options: AnswerOptions, ctx: Context, requestId: string, error: unknown): void {
  const about = { requestId, method: ctx.method, route: routeName(ctx) };
  const { status, headers, body } = problemAnswer(options, about, error);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
  ctx.type = PROBLEM_TYPE;
  // The unread body would otherwise be parsed as the next request on this connection.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
}

function routeName(ctx: Context): string {
  return typeof ctx['_matchedRoute'] === 'string' ? ctx['_matchedRoute'] : 'unmatched';
}
