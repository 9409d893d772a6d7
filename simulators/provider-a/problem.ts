interface ProblemBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
}

/** An answer of provider A that is not a success. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
    /** False while nothing has been done, and then the idempotency key is not used up. */
    readonly executed = true,
  ) {
    super(body.message);
  }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): Problem {
  return new Problem(400, { type: 'invalid_request_error', message, ...more }, false);
}

/** Refused by what is there, such as a refund above what was paid: the refusal counts as the key's answer. */
export function refused(message: string, code?: string): Problem {
  return new Problem(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  });
}

/** @param param the parameter that named it; what the address itself names is 404 */
export function missing(what: string, id: string, param?: string): Problem {
  const body = { type: 'invalid_request_error', code: 'resource_missing', param: param ?? 'id' } as const;
  return new Problem(param === undefined ? 404 : 400, { ...body, message: `No such ${what}: '${id}'` });
}

export function cardProblem(error: { code: string; decline_code?: string; message: string }): Problem {
  return new Problem(402, { type: 'card_error', ...error });
}
