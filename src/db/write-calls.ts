import { nothing, type Call } from './calls';

/** A column value; JSON is given as text. */
export type ColumnValue = string | number | bigint | boolean | Date | Buffer | null;
export type Columns = Readonly<Record<string, ColumnValue>>;

/** Inserts one row. */
export function insertCall(name: string, table: string, row: Columns): Call<void> {
  const columns = Object.keys(row);
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
  return { name, text, values: Object.values(row).map(asText), read: nothing };
}

/**
 * Updates the row with these values.
 *
 * @param more further assignments, as SQL without values
 * @returns whether the row exists
 */
export function updateCall(
  name: string,
  table: string,
  { where, set, more = [] }: { where: Columns; set: Columns; more?: readonly string[] },
): Call<boolean> {
  const conditions = Object.keys(where).map((column, index) => `${column} = $${index + 1}`);
  const assignments = Object.keys(set).map(
    (column, index) => `${column} = $${conditions.length + index + 1}`,
  );
  const text = `UPDATE ${table} SET ${[...assignments, ...more].join(', ')} WHERE ${conditions.join(' AND ')} RETURNING true`;
  const values = [...Object.values(where), ...Object.values(set)].map(asText);
  return { name, text, values, read: (rows) => rows.length > 0 };
}

/** Converts a parameter to Postgres's text form. */
export function asText(value: ColumnValue): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return String(value);
}
