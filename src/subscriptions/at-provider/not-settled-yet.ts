/** The provider did not say what became of a call, and may in a moment. */
export class NotSettledYet extends Error {
  override readonly name = 'NotSettledYet';

  constructor(reason: string) {
    super(`The payment provider has not said what became of it: ${reason}`);
  }
}
