import { DAY_MS } from '../../domain/instant';
import type { SettlementFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SettlementRange } from '../provider-operations';
import type { ProviderBClient } from './client';
import { finalReadOutcome } from './outcomes';
import { settlementsByDay } from './settlement-days';
import { readReport } from './transactions-report';

/**
 * Lists settlements built from B's transactions report. B has no settlements of its own: a payment, less B's fee, is in
 * the merchant's account at once and goes to a bank whenever the merchant wants. So a settlement here is what the
 * account received on one day (UTC) in one currency, named `report-<day>-<currency>`.
 *
 * A day belongs to the range in which it ends. The report is up to three hours late: a day that may be incomplete is
 * skipped until it is complete, so that no settlement is reported in part. Callers that poll let the ranges overlap by
 * a day.
 */
export function listSettlements(
  client: ProviderBClient,
  access: ConnectionAccess,
  { from, to }: SettlementRange,
): Promise<Outcome<SettlementFacts[]>> {
  return finalReadOutcome(async () => {
    const firstEnd = midnightFrom(from);
    const lastEnd = midnightFrom(to) - DAY_MS;
    if (lastEnd < firstEnd) return [];
    const { lines, account, completeUntil } = await readReport(client, access, firstEnd - DAY_MS, lastEnd);
    return settlementsByDay(lines, account).filter(
      ({ periodEnd }) => periodEnd !== null && periodEnd <= completeUntil,
    );
  });
}

/** Returns the first midnight (UTC) at or after the instant. */
function midnightFrom(instant: number): number {
  return Math.ceil(instant / DAY_MS) * DAY_MS;
}
