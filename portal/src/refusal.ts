/** A refusal, or no answer (`status` 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** A sentence for the customer, if the service has one. */
    readonly reason: string | null,
  ) {
    super(code);
  }
}
