import type { PoolClient } from 'pg';

/** The most statements that a process names: each connection keeps a plan for every one of them. */
const MAX_NAMED = 400;
/** The most texts that are remembered from their first time; filters make any number of them. */
const MAX_SEEN = 2_000;

/** A migration changes the columns behind `*`, and a prepared statement that answers them would fail from then on. */
const HAS_OPEN_COLUMNS = /\.\*|\b(select|distinct|returning)\s+\*|,\s*\*/i;

/**
 * Prepares the statements that a process sends again and again: from the second time on they have a name, so that each
 * connection parses them once, and Postgres keeps a generic plan where that is no worse than planning every time. Most
 * statements of a command take longer to plan than to run.
 *
 * @param client a new connection in session mode
 */
export function prepareRepeatedStatements(client: PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new TypeError('A connection has no query().');
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (statement: unknown, ...others: unknown[]): unknown =>
      Reflect.apply(query, client, [withName(statement), ...others]),
  });
}

function withName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || 'name' in statement) return statement;
  if (!('text' in statement) || typeof statement.text !== 'string') return statement;
  // Without values the text is sent as it is, which is cheaper: BEGIN, COMMIT, SET.
  if (!('values' in statement) || !Array.isArray(statement.values) || statement.values.length === 0)
    return statement;
  const name = nameOf(statement.text);
  return name === undefined ? statement : { ...statement, name };
}

const named = new Map<string, string>();
const seen = new Set<string>();

/** Undefined while the statement is not repeated. */
function nameOf(text: string): string | undefined {
  const known = named.get(text);
  if (known !== undefined) return known;
  if (named.size >= MAX_NAMED || HAS_OPEN_COLUMNS.test(text)) return undefined;
  if (!seen.delete(text)) {
    if (seen.size >= MAX_SEEN) seen.clear();
    seen.add(text);
    return undefined;
  }
  const name = `repeated_${named.size}`;
  named.set(text, name);
  return name;
}
