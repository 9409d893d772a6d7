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
 * Converts a refusal to a failure that Temporal carries: its type is the error code, it is not retried, and it is
 * benign, so that the worker does not log it as an error.
 *
 * @param attempt the id of the refused attempt
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
  // A history is kept indefinitely, and the stack of a business rule is useless in it.
  failure.stack = '';
  return failure;
}

/**
 * Returns the refusal at the root of a failure's causes, with the attempt that it answers; undefined if there is none.
 */
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

/** Returns the innermost cause: an activity's failure arrives wrapped in others. */
export function rootCauseOf(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at;
}
