/** A refusal, or no answer at all (`status` 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** A sentence for the customer, where the service has one. */
    readonly reason: string | null,
  ) {
    super(code);
  }
}
