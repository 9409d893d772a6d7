import { Query, types, type Connection } from 'pg';

/** A named (prepared) statement with its values in Postgres's text form. */
export interface Statement {
  name: string;
  text: string;
  values: (string | null)[];
}

/** Result of one statement: the first word of its command tag, and its rows by column name. */
export interface StatementResult {
  command: string;
  rows: Record<string, unknown>[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** Protocol messages, as `pg` passes them to its active query. */
interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}
interface DataRow {
  fields: readonly (string | null)[];
}
interface CommandComplete {
  text: string;
}

/** `pg`'s declaration accepts only named types and returns `any`. */
const parserOf = types.getTypeParser as (dataTypeID: number, format: 'text') => Column['parse'];

/** Columns of the statements prepared on each connection. */
const preparedOn = new WeakMap<Connection, Map<string, Column[]>>();

/** Reports a group's failure and the failed statement; Postgres skips the statements after it. */
type GroupFailure = (error: unknown, statement: string) => void;

/**
 * Statements sent as one: with a single synchronization point, Postgres answers them in one message and skips those
 * after a failure. As separate queries, each would cost both sides one more system call. It extends `Query`, because a
 * pipelined connection accepts nothing else.
 */
export class StatementGroup extends Query {
  // Private at runtime too, because `pg` reads members such as `rows` from a query.
  readonly #statements: readonly Statement[];
  readonly #succeed: (results: StatementResult[]) => void;
  readonly #fail: GroupFailure;
  readonly #results: StatementResult[] = [];
  #rows: Record<string, unknown>[] = [];
  #prepared = new Map<string, Column[]>();

  constructor(
    statements: readonly Statement[],
    succeed: (results: StatementResult[]) => void,
    fail: GroupFailure,
  ) {
    super('');
    this.#statements = statements;
    this.#succeed = succeed;
    this.#fail = fail;
  }

  override submit = (connection: Connection): null => {
    const prepared = preparedOn.get(connection) ?? new Map<string, Column[]>();
    preparedOn.set(connection, prepared);
    this.#prepared = prepared;
    const { stream } = connection;
    // Everything is sent in one system call.
    stream.cork();
    for (const { name, text, values } of this.#statements) {
      const known = prepared.has(name);
      if (!known) {
        // After a failure it may be prepared without being recorded here; closing a statement that does not exist is
        // not an error.
        connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values }, true);
      if (!known) connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    stream.uncork();
    return null;
  };

  handleRowDescription({ fields }: RowDescription): void {
    const statement = this.#statements[this.#results.length];
    if (statement === undefined) return;
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parserOf(dataTypeID, 'text'),
    }));
    this.#prepared.set(statement.name, columns);
  }

  handleDataRow({ fields }: DataRow): void {
    const columns = this.#prepared.get(this.#statements[this.#results.length]?.name ?? '') ?? [];
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const text = fields[index];
      if (column !== undefined)
        row[column.name] = text === null || text === undefined ? null : column.parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: CommandComplete): void {
    const statement = this.#statements[this.#results.length];
    if (statement !== undefined && !this.#prepared.has(statement.name))
      this.#prepared.set(statement.name, []);
    this.#results.push({ command: text.split(' ')[0] ?? '', rows: this.#rows });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#succeed(this.#results);
  }

  handleError(error: unknown): void {
    this.#fail(error, this.#statements[this.#results.length]?.name ?? '');
  }
}
