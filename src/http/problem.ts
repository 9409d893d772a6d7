import { errorCatalogue, type TollgateError } from '../domain/errors';
import { shortened } from './json-pointer';

/** Limits the request text that a sentence repeats. */
const MAX_DETAIL_LENGTH = 1_000;

/** An RFC 9457 problem, as callers see it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  fix: string;
  requestId: string;
  errors?: { pointer: string; message: string; fix: string }[];
  [extra: string]: unknown;
}

/**
 * Builds the problem body for an error.
 *
 * @param documentationUrl the base of `/docs/errors`; `type` points to the code there
 */
export function problemOf(error: TollgateError, requestId: string, documentationUrl: string): Problem {
  const definition = errorCatalogue[error.code];
  return {
    type: `${documentationUrl}/docs/errors#${error.code}`,
    title: definition.title,
    status: definition.status,
    detail: shortened(error.detail, MAX_DETAIL_LENGTH),
    code: error.code,
    fix: definition.fix,
    requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...error.extra,
  };
}
