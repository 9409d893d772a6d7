import type { PoolClient } from 'pg';

/** Maximum number of named statements per pool: each connection keeps a plan for every one. */
const MAX_NAMED = 400;
/** Maximum number of texts remembered after their first use, because filters produce any number of them. */
const MAX_SEEN = 2_000;

/** A migration changes the columns behind `*`, after which a prepared statement that returns them would fail. */
const HAS_OPEN_COLUMNS = /\.\*|\b(select|distinct|returning)\s+\*|,\s*\*/i;

/**
 * Prepares the statements that a pool repeats. From the second use they have a name, so that each connection parses
 * them once, and Postgres keeps a generic plan if that is no worse than planning every time. Most statements of a
 * command take longer to plan than to run.
 *
 * @returns installs this on a new connection of the pool, in session mode
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
  // Without values the text is sent unchanged, which is cheaper: BEGIN, COMMIT, SET.
  if (!('values' in statement) || !Array.isArray(statement.values) || statement.values.length === 0)
    return statement;
  const name = names.of(statement.text);
  return name === undefined ? statement : { ...statement, name };
}

/** Names of repeated statements. */
class StatementNames {
  private readonly named = new Map<string, string>();
  private readonly seen = new Set<string>();

  /** Returns undefined until the statement is repeated. */
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
