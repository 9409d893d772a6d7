import { UnusableStateError } from './stored-graph';

type Run<R> = (args: readonly unknown[]) => R;

const known = new Map<string, Run<unknown>>();

/** A deferred call as data: a function's name and its arguments. Unlike a closure, the next process can perform it. */
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
 * Gives a function a name under which its calls are stored. Call it when a module is loaded, once per name; a name used
 * in stored states must not change.
 *
 * @param name begins with the provider it belongs to: `b.bill`
 * @returns a function that creates a call with the arguments, without performing it
 */
export function namedCall<A extends unknown[], R>(
  name: string,
  run: (...args: A) => R,
): (...args: A) => NamedCall<R> {
  if (known.has(name)) throw new Error(`Two functions are named ${name}: give one of them another name.`);
  // Only arguments of this function are ever stored under its name.
  const runStored: Run<R> = (args) => run(...(args as A));
  known.set(name, runStored);
  return (...args) => new NamedCall(name, args, runStored);
}

/** Restores the stored call of a name. @throws UnusableStateError when this version has no such function */
export function restoredCall(name: string, args: unknown[]): NamedCall<unknown> {
  const run = known.get(name);
  if (run === undefined)
    throw new UnusableStateError(`it waits for “${name}”, which this version does not know`);
  return new NamedCall(name, args, run);
}
