/** The outcome of a provider call or reading is not known yet; the caller retries. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';

  constructor(reason: string) {
    super(`The payment provider has not confirmed the outcome: ${reason}`);
  }
}
