import type { Account } from './state';

/** Marks a fully refunded payment in the report. */
export function markReversed({ ledger }: Account, id: string): void {
  for (const line of ledger) if (line.id === id) line.status = 'V';
}

/** Marks a payment in the report whose cheque was returned. */
export function markDenied({ ledger }: Account, id: string): void {
  for (const line of ledger) if (line.id === id) line.status = 'D';
}

/** Marks a payment in the report whose cheque has cleared. */
export function markCleared({ ledger }: Account, id: string): void {
  for (const line of ledger) if (line.id === id) line.status = 'S';
}
