import type { PoolClient } from 'pg';
import { classifyFailure } from './failure';
import type { Statement } from './statement-group';

const BEGIN: Statement = { name: 'begin', text: 'BEGIN', values: [] };
export const COMMIT: Statement = { name: 'commit', text: 'COMMIT', values: [] };

/** Connections whose transaction knex considers begun or still open, while Postgres does not. */
const edges = new WeakMap<object, 'to begin' | 'committed'>();

/**
 * Saves the round trips of knex's BEGIN and COMMIT. BEGIN is held back and sent with the transaction's first
 * statements; a COMMIT already sent with its last ones is not sent again. A ROLLBACK on a lost connection succeeds,
 * also to a savepoint.
 *
 * @param client a new connection
 */
export function holdBackTransactionEdges(client: PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new TypeError('A connection has no query().');
  const send = (...sent: unknown[]): unknown => Reflect.apply(query, client, sent);
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (statement: unknown, ...others: unknown[]): unknown => {
      const [answer] = others;
      const text = textOf(statement);
      if (text === 'BEGIN;' && isAnswer(answer)) {
        edges.set(client, 'to begin');
        answer(null, NOTHING);
        return;
      }
      const edge = edges.get(client);
      if (edge === undefined && isRollback(text) && isAnswer(answer)) {
        return send(statement, (error: Error | null, result: unknown) => {
          // Postgres has rolled back what a lost connection began. Without this, knex would report the failure of its
          // ROLLBACK in place of the first one.
          if (error !== null && classifyFailure(error) === 'connection') answer(null, NOTHING);
          else answer(error, result);
        });
      }
      if (edge === undefined) return send(statement, ...others);
      edges.delete(client);
      if ((text === 'COMMIT;' || text === 'ROLLBACK') && isAnswer(answer)) {
        answer(null, NOTHING);
        return;
      }
      if (edge === 'committed') throw new Error('The transaction has ended.');
      const last = others.at(-1);
      if (!isAnswer(last)) throw new TypeError('A transaction begins with a group or a callback.');
      send(BEGIN.text, (error: Error | null) => {
        if (error === null) send(statement, ...others);
        else last(error, NOTHING);
      });
      return;
    },
  });
}

/** Returns the statements with which the next group on a connection begins: BEGIN, if it is held back. */
export function takeOpening(client: PoolClient): Statement[] {
  const edge = edges.get(client);
  if (edge === undefined) return [];
  if (edge === 'committed') throw new Error('The transaction has ended.');
  edges.delete(client);
  return [BEGIN];
}

/** Notes that the connection's transaction is committed, before knex commits it. */
export function noteCommitted(client: PoolClient): void {
  edges.set(client, 'committed');
}

type Answer = (error: Error | null, result: unknown) => void;

const NOTHING = { command: '', rowCount: null, oid: 0, rows: [], fields: [] };

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'function';
}

/** Whether this ends a transaction, or the one that is nested in it. */
function isRollback(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('ROLLBACK');
}

function textOf(statement: unknown): unknown {
  return typeof statement === 'object' && statement !== null && 'text' in statement
    ? statement.text
    : statement;
}
