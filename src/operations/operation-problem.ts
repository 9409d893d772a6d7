import { errorCatalogue, TollgateError, type ErrorCode } from '../domain/errors';
import type { OperationProblem } from './operation-store';

/** Converts a refusal to plain values for storage. */
export function toOperationProblem(refusal: TollgateError): OperationProblem {
  const { code, detail, errors, extra, retryAfter } = refusal;
  return {
    code,
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(extra === undefined ? {} : { extra }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** Restores a refusal from its stored values. An earlier version may have stored a code that no longer exists. */
export function fromOperationProblem({ code, detail, ...rest }: OperationProblem): TollgateError {
  return new TollgateError(isErrorCode(code) ? code : 'provider_refused', detail, rest);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
