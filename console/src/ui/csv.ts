/** Characters with which a spreadsheet interprets text as a formula. The server's exports guard against the same. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const TO_BE_QUOTED = /[",\r\n]/;

export type CsvCell = string | number;

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet would evaluate gets a leading apostrophe; numbers stay
 * numbers.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: CsvCell): string {
  if (typeof value === 'number') return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return TO_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
