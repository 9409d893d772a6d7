import { errorCatalogue, TollgateError, type ErrorCode, type ErrorDefinition } from '../domain/errors';
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

/** Restores a refusal from its stored values. */
export function fromOperationProblem({ code, detail, ...rest }: OperationProblem): TollgateError {
  return new TollgateError(knownCode(code), detail, rest);
}

/** Returns what the catalogue says about a stored refusal. */
export function definitionOfProblem({ code }: Pick<OperationProblem, 'code'>): ErrorDefinition {
  return errorCatalogue[knownCode(code)];
}

/** An earlier version may have stored a code that no longer exists. */
function knownCode(code: string): ErrorCode {
  return isErrorCode(code) ? code : 'provider_refused';
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
