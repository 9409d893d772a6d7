import type { TollgateError } from '../domain/errors';
import type { OperationProblem } from './operation-store';

/** A refusal as plain values, which can be stored and sent. */
export function problemOfRefusal(refusal: TollgateError): OperationProblem {
  const { code, detail, errors, extra, retryAfter } = refusal;
  return {
    code,
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(extra === undefined ? {} : { extra }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
