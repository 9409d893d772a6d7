import type { SettlementFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SettlementRange } from '../provider-operations';
import type { ProviderBClient } from './client';
import { finalReadOutcome } from './outcomes';
import { DAY_MS, settlementsByDay } from './settlement-days';
import { readReport } from './transactions-report';

/**
 * B has no settlement of its own: what is paid lies in the merchant's account at once, less B's fee, and goes to a bank
 * whenever the merchant wants. So a settlement here is what the account got on one day (UTC) in one currency, named
 * `report-<day>-<currency>`, out of B's transactions report.
 *
 * A day belongs to the range in which it ends. The report is up to three hours late: a day that it may not have all of
 * is left out until it has, so that no settlement is reported in part. Callers that poll let the ranges overlap by a
 * day.
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
    const { lines, completeUntil } = await readReport(client, access, firstEnd - DAY_MS, lastEnd);
    return settlementsByDay(lines).filter(
      ({ periodEnd }) => periodEnd !== null && periodEnd <= completeUntil,
    );
  });
}

/** The first midnight (UTC) that is not before the instant. */
function midnightFrom(instant: number): number {
  return Math.ceil(instant / DAY_MS) * DAY_MS;
}
