import type { Account } from './state';

/** Marks a fully refunded payment in the report. */
export function markReversed({ ledger }: Account, id: string): void {
  for (const line of ledger) if (line.id === id) line.status = 'V';
}
