import type { Middleware } from 'koa';
import { flatten } from './flatten';
import { rebuild } from './rebuild';
import { readState, setAside, writeState } from './state-file';
import { UnusableStateError } from './stored-graph';

/** Preserves the simulators' state across processes. Without a file nothing is written. */
export interface Persistence {
  /**
   * Stores everything that this map or object holds, and restores it in the next process. Later additions are stored
   * too. It may hold data, instances of named classes, and `NamedCall`s.
   */
  keep(name: string, root: object): void;
  /** Registers an object that every process creates itself; stored objects may refer to it. */
  part(name: string, object: object): void;
  /**
   * Registers a class whose instances are stored by their own members.
   *
   * @param blank creates an instance with the members of a new one
   */
  instances(name: string, type: abstract new (...args: never) => object, blank: () => object): void;
  /** Marks a change that must be stored before it is answered or sent. */
  changed(): void;
  /** Marks a change whose loss would only make it happen again. */
  changedLightly(): void;
  /** Resolves when every change is stored. @throws Error when the file cannot be written */
  stored(): Promise<void>;
}

export interface RunningPersistence extends Persistence {
  /**
   * Restores the state that the last process stored. An unusable file is set aside.
   *
   * @param now epoch milliseconds
   */
  load(now: number): void;
  /** Stores pending changes. */
  stop(): Promise<void>;
}

/** How long minor changes may wait for each other (milliseconds). */
const LIGHTLY_MS = 200;

export interface PersistenceOptions {
  /** Where the state is stored; without it, everything is in memory only. */
  stateFile?: string | undefined;
  /** Receives messages for people. */
  report?: ((message: string) => void) | undefined;
}

export function createPersistence({
  stateFile: file,
  report = () => undefined,
}: PersistenceOptions = {}): RunningPersistence {
  const roots = new Map<string, object>();
  const parts = new Map<string, object>();
  const types = new Map<unknown, string>();
  const blanks = new Map<string, () => object>();
  let isStored = true;
  let writing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;

  function write(path: string): void {
    const names = new Map([...parts].map(([name, part]) => [part, name]));
    clearTimeout(later);
    later = undefined;
    isStored = true;
    try {
      writeState(path, flatten(roots, { parts: names, types }));
    } catch (error) {
      isStored = false;
      report(
        `The simulators’ state was not stored: ${error instanceof Error ? error.message : String(error)}`,
      );
      throw error;
    }
  }

  /** Writes once for all callers in the same turn of the event loop, after their work in that turn is done. */
  function writeSoon(path: string): Promise<void> {
    writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      writing = undefined;
      write(path);
    });
    return writing;
  }

  return {
    keep: (name, root) => {
      roots.set(name, root);
      parts.set(name, root);
    },
    part: (name, object) => void parts.set(name, object),
    instances: (name, type, blank) => {
      types.set(type, name);
      blanks.set(name, blank);
    },
    changed: () => {
      isStored = false;
    },
    changedLightly: () => {
      if (file === undefined) return;
      later ??= setTimeout(() => {
        // The failure was reported, and the next change tries again.
        writeSoon(file).catch(() => undefined);
      }, LIGHTLY_MS).unref();
    },
    stored: async () => {
      if (file !== undefined && !isStored) await writeSoon(file);
    },
    load: (now) => {
      if (file === undefined) return;
      try {
        const graph = readState(file);
        if (graph !== undefined) rebuild(graph, { parts, blanks, roots });
      } catch (error) {
        if (!(error instanceof UnusableStateError)) throw error;
        const aside = setAside(file, now);
        report(
          `The simulators start empty: their state in ${file} cannot be used (${error.message}) and was moved to ${aside}.`,
        );
      }
    },
    stop: async () => {
      if (file !== undefined && (!isStored || later !== undefined)) await writeSoon(file);
    },
  };
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers a request once every change that the answer can show is stored. It has to be the first middleware. */
export function answerWhenStored(persistence: Persistence): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      if (!READING.has(ctx.method)) persistence.changed();
      await persistence.stored();
    }
  };
}
