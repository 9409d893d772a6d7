import type { Account } from './state';

/** A payment that was given back in full says so in the report from then on. */
export function markReversed({ ledger }: Account, id: string): void {
  for (const line of ledger) if (line.id === id) line.status = 'V';
}
