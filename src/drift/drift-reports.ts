import { readClockOffset, workspaceTime } from '../clock/sandbox-clock-store';
import { inWorkspace } from '../db/workspace-transaction';
import { createPlanPrices } from '../plan-prices/plan-price-service';
import type { WorkspaceScope } from '../tenancy/actor';
import { compare, type Comparing } from './compare';
import { listSubscriptionsOfConnection } from './drift-store';
import { recordFinding, type FindingChange } from './record-finding';
import { testWhenRefused } from './test-when-refused';

/** Result of one part of a connection's report. */
interface DriftReportPart {
  /** The subscription after which the next part continues; null if there are no more. */
  after: string | null;
  compared: number;
  /** New or changed differences. */
  found: number;
  gone: number;
  /** Subscriptions that could not be read at the provider. */
  unread: number;
}

/** Reports drift, and plans whose price differs at the provider, by developer events, once for each finding. */
export interface DriftReports {
  /** @param after the last subscription of the previous part; null at the beginning */
  report(scope: WorkspaceScope, connectionId: string, after: string | null): Promise<DriftReportPart>;
}

const PART = 25;
const CONCURRENCY = 5;

export function createDriftReports(dependencies: Comparing): DriftReports {
  const { database, clock } = dependencies;
  const planPrices = createPlanPrices(dependencies);
  return {
    async report(scope, connectionId, after) {
      const who = () => ({ scope, reason: 'SYSTEM', receivedAt: clock.now() }) as const;
      // Records a developer event for each price that differs.
      const ofPrices = after === null ? await planPrices.report(who(), connectionId) : NO_ANSWERS;
      const page = { take: PART, ...(after !== null && { before: after }) };
      const listed = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const endedBy = await workspaceTime(trx, scope, clock.now());
        return listSubscriptionsOfConnection(trx, scope, connectionId, { ...page, endedBy });
      });
      const ids = listed.slice(0, PART).map(({ id }) => id);
      const part = { after: listed.length > PART ? (ids.at(-1) ?? null) : null, ...NOTHING };
      let queried = 0;
      let refused = 0;
      for (let start = 0; start < ids.length; start += CONCURRENCY) {
        const group = ids.slice(start, start + CONCURRENCY);
        for (const change of await Promise.all(group.map((id) => reportOne(dependencies, scope, id)))) {
          part.compared += 1;
          if (change === 'under_way') continue;
          queried += 1;
          if (change === 'refused') refused += 1;
          if (change !== null) part[change === 'refused' ? 'unread' : change] += 1;
        }
      }
      const answered = queried - part.unread;
      // If the provider answered nothing, the rest of a long list is not requested.
      if (queried > 0 && answered === 0) part.after = null;
      // Only the last part, so once in a report.
      if (part.after === null) {
        // Prices may need another permission, so they count only where there is no subscription to ask for.
        const answers = queried > 0 ? { answered, refused } : ofPrices;
        await testWhenRefused({ ...dependencies, planPrices }, who(), connectionId, answers);
      }
      return part;
    },
  };
}

const NO_ANSWERS = { answered: 0, refused: 0 };
const NOTHING = { compared: 0, found: 0, gone: 0, unread: 0 };

async function reportOne(
  dependencies: Comparing,
  scope: WorkspaceScope,
  id: string,
): Promise<FindingChange | 'unread' | 'refused' | 'under_way'> {
  const { database, clock } = dependencies;
  const offset = await inWorkspace(database, scope, 'SYSTEM', (trx) => readClockOffset(trx, scope));
  const comparison = await compare(dependencies, { scope, reason: 'SYSTEM' }, id, clock.now() + offset);
  // The provider was not asked, so this says nothing about it.
  if (comparison.drift.unverifiable.some(({ code }) => code === 'under_way')) return 'under_way';
  const { reading } = comparison;
  if (reading.kind === 'unread') return reading.refused === true ? 'refused' : 'unread';
  return recordFinding(dependencies, { scope, reason: 'SYSTEM' }, comparison);
}
