import type { ExportedUse } from './usage-events';

/** The columns of a CSV export, with their values. */
const COLUMNS: Readonly<Record<string, (exported: ExportedUse) => string | number | boolean | null>> = {
  id: ({ use }) => use.id,
  externalId: ({ use }) => use.externalId,
  customerId: ({ use }) => use.customerId,
  feature: ({ use }) => use.feature,
  quantity: ({ use }) => use.quantity,
  source: ({ use }) => use.source,
  timestamp: ({ use }) => use.timestamp,
  recordedAt: ({ use }) => use.recordedAt,
  late: ({ use }) => use.late,
  entity: ({ use }) => use.entity,
  properties: ({ use }) => (use.properties === null ? null : jsonOfOneLine(use.properties)),
  idempotencyKey: ({ use }) => use.idempotencyKey,
  deductions: ({ use }) => JSON.stringify(use.deductions),
  reversedQuantity: ({ use }) => use.reversal?.quantity ?? null,
  reversalReason: ({ use }) => use.reversal?.reason ?? null,
  reversedAt: ({ use }) => use.reversal?.reversedAt ?? null,
  cursor: ({ cursor }) => cursor,
};

/** The header line of a CSV export. */
export const CSV_HEADER = `${Object.keys(COLUMNS).join(',')}\r\n`;

export function csvLine(exported: ExportedUse): string {
  return `${Object.values(COLUMNS)
    .map((valueOf) => csvCell(valueOf(exported)))
    .join(',')}\r\n`;
}

export function ndjsonLine({ use, cursor }: ExportedUse): string {
  return `${jsonOfOneLine({ ...use, cursor })}\n`;
}

/** Line ends of Unicode that JSON need not escape. Clients that split text at all of them would break a line. */
const OTHER_LINE_END = /[\u0085\u2028\u2029]/g;

function jsonOfOneLine(value: object): string {
  return JSON.stringify(value).replaceAll(
    OTHER_LINE_END,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Where a spreadsheet would read a formula: at the start of a cell, also after blanks, and in the full-width forms of
 * East Asian keyboards. In countries with a decimal comma, spreadsheets split lines at semicolons instead of commas.
 * Our quotes are then in the middle of their cells and protect nothing, so a formula may also begin after a semicolon,
 * tab or line break, or in quotes.
 */
const FORMULA = /(?:^|[;\t\r\n])(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r\n])/g;
const TO_BE_QUOTED = /[",\r\n]/;

/** Formats a cell according to RFC 4180, with an apostrophe before text that a spreadsheet would execute. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = value.replaceAll(FORMULA, "$&'");
  return TO_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
