/** Where a spreadsheet would read a formula. The server's exports guard against the same, and say why. */
const FORMULA = /(?:^|[;\t\r\n])(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r\n])/g;
const TO_BE_QUOTED = /[",\r\n]/;

export type CsvCell = string | number;

/**
 * Formats rows as CSV (RFC 4180). An apostrophe precedes text that a spreadsheet would evaluate; numbers stay
 * numbers.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: CsvCell): string {
  if (typeof value === 'number') return String(value);
  const harmless = value.replaceAll(FORMULA, "$&'");
  return TO_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
