import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { z } from 'zod';
import { errorCatalogue, TollgateError, type ErrorCode } from '../domain/errors';

const codeSchema = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(errorCatalogue, value),
);
const detailSchema = z.object({
  attempt: z.string(),
  problem: z.object({
    code: codeSchema,
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string(), fix: z.string() })).optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
    retryAfter: z.number().optional(),
  }),
});

/**
 * A refusal as a failure that Temporal carries: its type is the error code, it is not retried, and it is benign, so that
 * the worker does not log it as an error.
 *
 * @param attempt the id of the attempt that was refused
 */
export function refusalFailure(error: TollgateError, attempt: string): ApplicationFailure {
  const { code, detail, errors, extra, retryAfter } = error;
  const failure = ApplicationFailure.create({
    message: detail,
    type: code,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    details: [{ attempt, problem: { code, detail, errors, extra, retryAfter } }],
  });
  // A history is kept for ever, and a rule's stack is of no use in it.
  failure.stack = '';
  return failure;
}

/** The refusal at the root of a failure's causes with the attempt that it answers; undefined when there is none. */
export function refusalOf(error: unknown): { attempt: string; error: TollgateError } | undefined {
  const failure = rootCauseOf(error);
  if (!(failure instanceof ApplicationFailure)) return undefined;
  const parsed = detailSchema.safeParse(failure.details?.[0]);
  if (!parsed.success) return undefined;
  const { code, detail, errors, extra, retryAfter } = parsed.data.problem;
  return {
    attempt: parsed.data.attempt,
    error: new TollgateError(code, detail, {
      ...(errors !== undefined && { errors }),
      ...(extra !== undefined && { extra }),
      ...(retryAfter !== undefined && { retryAfter }),
    }),
  };
}

/** The innermost cause: an activity's failure arrives wrapped in others. */
export function rootCauseOf(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at;
}
