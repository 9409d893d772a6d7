import { Query, types, type Connection } from 'pg';

/** A named (prepared) statement with its values in Postgres' text form. */
export interface Statement {
  name: string;
  text: string;
  values: (string | null)[];
}

/** What one statement answered: its command tag's first word, and its rows by column name. */
export interface StatementResult {
  command: string;
  rows: Record<string, unknown>[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The messages of the protocol, as `pg` hands them to its active query. */
interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}
interface DataRow {
  fields: readonly (string | null)[];
}
interface CommandComplete {
  text: string;
}

/** As `pg` declares it, it takes only the types that it has names for, and answers anything. */
const parserOf = types.getTypeParser as (dataTypeID: number, format: 'text') => Column['parse'];

/** The columns of the statements that each connection has prepared. */
const preparedOn = new WeakMap<Connection, Map<string, Column[]>>();

/** The failure of a group, with the statement that it is of; Postgres skips those behind it. */
type GroupFailure = (error: unknown, statement: string) => void;

/**
 * Statements that travel as one: a single synchronisation point, so that Postgres answers them in one message
 * and skips what stands behind a failure. As queries of their own each would cost both sides a system call
 * more. A subclass of `Query`, because a pipelined connection takes no other.
 */
export class StatementGroup extends Query {
  // Private to the language too: `pg` reads members of its own, `rows` among them, from a query.
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
    // All of it leaves in one system call.
    stream.cork();
    for (const { name, text, values } of this.#statements) {
      const known = prepared.has(name);
      if (!known) {
        // A failure may have left it prepared without our knowing; to close what is not there is no error.
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
