import type { PoolClient } from 'pg';

/** The most statements that a pool names: each connection keeps a plan for every one of them. */
const MAX_NAMED = 400;
/** The most texts that are remembered from their first time; filters make any number of them. */
const MAX_SEEN = 2_000;

/** A migration changes the columns behind `*`, and a prepared statement that answers them would fail from then on. */
const HAS_OPEN_COLUMNS = /\.\*|\b(select|distinct|returning)\s+\*|,\s*\*/i;

/**
 * Prepares the statements that a pool sends again and again: from the second time on they have a name, so that each
 * connection parses them once, and Postgres keeps a generic plan where that is no worse than planning every time. Most
 * statements of a command take longer to plan than to run.
 *
 * @returns what prepares them on a new connection of the pool, in session mode
 */
export function repeatedStatements(): (client: PoolClient) => void {
  const names = new StatementNames();
  return (client) => {
    prepareOn(client, names);
  };
}

function prepareOn(client: PoolClient, names: StatementNames): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new TypeError('A connection has no query().');
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (statement: unknown, ...others: unknown[]): unknown =>
      Reflect.apply(query, client, [withName(statement, names), ...others]),
  });
}

function withName(statement: unknown, names: StatementNames): unknown {
  if (typeof statement !== 'object' || statement === null || 'name' in statement) return statement;
  if (!('text' in statement) || typeof statement.text !== 'string') return statement;
  // Without values the text is sent as it is, which is cheaper: BEGIN, COMMIT, SET.
  if (!('values' in statement) || !Array.isArray(statement.values) || statement.values.length === 0)
    return statement;
  const name = names.of(statement.text);
  return name === undefined ? statement : { ...statement, name };
}

/** The names of the statements that are repeated. */
class StatementNames {
  private readonly named = new Map<string, string>();
  private readonly seen = new Set<string>();

  /** Undefined while the statement is not repeated. */
  of(text: string): string | undefined {
    const known = this.named.get(text);
    if (known !== undefined) return known;
    if (this.named.size >= MAX_NAMED || HAS_OPEN_COLUMNS.test(text)) return undefined;
    if (!this.seen.delete(text)) {
      if (this.seen.size >= MAX_SEEN) this.seen.clear();
      this.seen.add(text);
      return undefined;
    }
    const name = `repeated_${this.named.size}`;
    this.named.set(text, name);
    return name;
  }
}
