import { UnusableStateError } from './stored-graph';

type Run<R> = (args: readonly unknown[]) => R;

const known = new Map<string, Run<unknown>>();

/**
 * A call that is made later, as data: a function's name and its arguments. Unlike a closure it can be stored, and made
 * by the next process.
 */
export class NamedCall<R> {
  readonly #run: Run<R>;

  constructor(
    readonly name: string,
    /** They may be filled in later, but before the call is performed. */
    readonly args: unknown[],
    run: Run<R>,
  ) {
    this.#run = run;
  }

  perform(): R {
    return this.#run(this.args);
  }
}

/**
 * Gives a function a name under which its calls are stored. Call it where a module is loaded, once for a name; a name
 * that stands in stored states stays.
 *
 * @param name begins with the provider it belongs to: `b.bill`
 * @returns what makes a call of the arguments, without performing it
 */
export function namedCall<A extends unknown[], R>(
  name: string,
  run: (...args: A) => R,
): (...args: A) => NamedCall<R> {
  if (known.has(name)) throw new Error(`Two functions are named ${name}: give one of them another name.`);
  // Only what this function was given is ever stored under its name.
  const runStored: Run<R> = (args) => run(...(args as A));
  known.set(name, runStored);
  return (...args) => new NamedCall(name, args, runStored);
}

/** The stored call of a name. @throws UnusableStateError when this version has no such function */
export function restoredCall(name: string, args: unknown[]): NamedCall<unknown> {
  const run = known.get(name);
  if (run === undefined)
    throw new UnusableStateError(`it waits for “${name}”, which this version does not know`);
  return new NamedCall(name, args, run);
}
