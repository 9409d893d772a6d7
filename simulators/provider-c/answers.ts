/** An answer's status and body. */
export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

export function answer(message: string, data?: unknown, meta?: unknown): Reply {
  return {
    status: 200,
    body: {
      status: true,
      message,
      ...(data === undefined ? {} : { data }),
      ...(meta === undefined ? {} : { meta }),
    },
  };
}

/** A refusal by the provider, with its response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly nextStep = 'Ensure that the value(s) you are passing are valid.',
  ) {
    super(message);
  }

  get body(): Record<string, unknown> {
    return {
      status: false,
      message: this.message,
      meta: { nextStep: this.nextStep },
      type: this.status >= 500 ? 'api_error' : 'validation_error',
      code: this.code,
    };
  }
}

/** A page of a list, newest first, with the provider's `meta`. */
export function answerPage<T>(
  message: string,
  items: readonly T[],
  query: { perPage: number; page: number },
  view: (item: T) => unknown,
): Reply {
  const { perPage, page } = query;
  const skipped = (page - 1) * perPage;
  const pageCount = Math.ceil(items.length / perPage);
  const shown = items.toReversed().slice(skipped, skipped + perPage);
  return answer(message, shown.map(view), { total: items.length, skipped, perPage, page, pageCount });
}
