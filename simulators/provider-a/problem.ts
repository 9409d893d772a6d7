interface ProblemBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
}

/** An error response of provider A. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
    /** False if nothing has been done; then the idempotency key is not used up. */
    readonly executed = true,
  ) {
    super(body.message);
  }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): Problem {
  return new Problem(400, { type: 'invalid_request_error', message, ...more }, false);
}

/** Refused because of the current state, such as a refund above the paid amount: the refusal is the key's answer. */
export function refused(message: string, code?: string): Problem {
  return new Problem(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  });
}

/** @param param the parameter that named it; an object named by the address itself is 404 */
export function missing(what: string, id: string, param?: string): Problem {
  const body = { type: 'invalid_request_error', code: 'resource_missing', param: param ?? 'id' } as const;
  return new Problem(param === undefined ? 404 : 400, { ...body, message: `No such ${what}: '${id}'` });
}

export function cardProblem(error: { code: string; decline_code?: string; message: string }): Problem {
  return new Problem(402, { type: 'card_error', ...error });
}
