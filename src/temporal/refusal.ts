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
 * A refusal on its way through Temporal: the code is the failure's type, and it is not tried again. An expected "no"
 * is no alarm for whoever watches the worker.
 *
 * @param attempt the sending of the command that was refused
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
  // Where a rule said no is of no use in a history, which keeps it for ever.
  failure.stack = '';
  return failure;
}

/** The refusal at the end of a failure's causes, and which sending it was the answer to; undefined when there is none. */
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

/** The first of a failure's causes: an activity's failure arrives inside others. */
export function rootCauseOf(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  return at;
}
