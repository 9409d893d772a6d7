import { KeyedCounts } from '../domain/keyed-counts';

/** How long work waits for its turn, like a caller of the pool for a connection. */
const WAIT_MS = 5_000;

/** From this many connections on, one is kept back. In a smaller pool, that would slow down a lone workspace. */
const RESERVE_FROM = 5;

/** No connection became free in time, for this workspace or for any. */
export class NoTurnError extends Error {
  override name = 'NoTurnError';
}

/** Begins work that waits for its turn. */
type Begin = () => void;

/**
 * Turns at the connections of a pool. The pool itself serves in order of arrival: a workspace with hundreds of requests
 * in progress would make every other one wait for all of them. Here workspaces take turns while connections are
 * scarce, and none takes the last one, because its statements may be slow.
 */
export class Turns {
  private readonly mostPerWorkspace: number;
  /** Connections in use, by workspace. */
  private readonly taken = new KeyedCounts();
  /** Work that waits, by workspace; the one that is served next comes first. */
  private readonly queues = new Map<string, Set<Begin>>();

  /** @param connections of the pool */
  constructor(private readonly connections: number) {
    this.mostPerWorkspace = connections < RESERVE_FROM ? connections : connections - 1;
  }

  /** Work that waits for its turn. */
  get waiting(): number {
    let sum = 0;
    for (const queue of this.queues.values()) sum += queue.size;
    return sum;
  }

  /** @throws NoTurnError if the turn does not come in time; the work was not begun then */
  async take<Result>(workspace: string, work: () => Promise<Result>): Promise<Result> {
    if (this.isFreeFor(workspace)) this.taken.add(workspace, 1);
    else await this.wait(workspace);
    try {
      return await work();
    } finally {
      this.taken.add(workspace, -1);
      this.serveNext();
    }
  }

  private isFreeFor(workspace: string): boolean {
    return this.taken.total < this.connections && this.taken.of(workspace) < this.mostPerWorkspace;
  }

  private wait(workspace: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(workspace) ?? new Set();
      this.queues.set(workspace, queue);
      const timer = setTimeout(() => {
        this.remove(workspace, queue, begin);
        reject(new NoTurnError('No connection to the database became free in time.'));
      }, WAIT_MS);
      const begin: Begin = () => {
        clearTimeout(timer);
        this.remove(workspace, queue, begin);
        this.taken.add(workspace, 1);
        resolve();
      };
      queue.add(begin);
    });
  }

  private remove(workspace: string, queue: Set<Begin>, begin: Begin): void {
    queue.delete(begin);
    if (queue.size === 0) this.queues.delete(workspace);
  }

  private serveNext(): void {
    for (const [workspace, queue] of this.queues) {
      if (!this.isFreeFor(workspace)) continue;
      const [first] = queue;
      // To the end, behind all others that wait.
      this.queues.delete(workspace);
      this.queues.set(workspace, queue);
      first?.();
      return;
    }
  }
}

/** By the database of the pool. */
const turnsOf = new WeakMap<object, Turns>();

/** Makes the work of workspaces take turns at the connections of a pool. */
export function takeTurns(database: object, connections: number): void {
  turnsOf.set(database, new Turns(connections));
}

/** Number of callers that wait for their turn. */
export function waitingForTurn(database: object): number {
  return turnsOf.get(database)?.waiting ?? 0;
}

/**
 * Runs work that needs a connection of the pool when it is the workspace's turn. An open transaction has its connection
 * already.
 *
 * @throws NoTurnError
 */
export function inTurn<Result>(
  database: object,
  { workspaceId, environment }: { workspaceId: string; environment: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const turns = turnsOf.get(database);
  return turns === undefined ? work() : turns.take(`${workspaceId} ${environment}`, work);
}
