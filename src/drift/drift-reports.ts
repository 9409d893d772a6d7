import { readClockOffset } from '../clock/sandbox-clock-store';
import { inWorkspace } from '../db/workspace-transaction';
import type { Drift } from '../domain/drift';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { recordProviderSyncEvent } from '../subscriptions/at-provider/provider-sync-event';
import { createPlanPrices } from '../plan-prices/plan-price-service';
import type { WorkspaceScope } from '../tenancy/actor';
import { compare, type Comparing, type Comparison } from './compare';
import { listSubscriptionsOfConnection, readFinding, writeFinding, type DriftFinding } from './drift-store';

/** What one part of a connection's report came to. */
interface DriftReportPart {
  /** The subscription after which the next part goes on; null when there is no more. */
  after: string | null;
  compared: number;
  /** Differences that are new, or not as they were. */
  found: number;
  gone: number;
  /** Subscriptions that could not be read at the provider. */
  unread: number;
}

/** Tells of drift, and of plans whose price differs there, by developer events, once for each finding. */
export interface DriftReports {
  /** @param after the last subscription of the part before; null at the beginning */
  report(scope: WorkspaceScope, connectionId: string, after: string | null): Promise<DriftReportPart>;
}

const PART = 25;
const ABREAST = 5;

export function createDriftReports(dependencies: Comparing): DriftReports {
  const { database, clock } = dependencies;
  const planPrices = createPlanPrices(dependencies);
  return {
    async report(scope, connectionId, after) {
      if (after === null) {
        // Records a developer event for each price that differs.
        await planPrices.ofConnection({ scope, reason: 'SYSTEM', receivedAt: clock.now() }, connectionId);
      }
      const page = { take: PART, ...(after !== null && { before: after }) };
      const listed = await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const endedBy = clock.now() + (await readClockOffset(trx, scope));
        return listSubscriptionsOfConnection(trx, scope, connectionId, { ...page, endedBy });
      });
      const ids = listed.slice(0, PART).map(({ id }) => id);
      const part = { after: listed.length > PART ? (ids.at(-1) ?? null) : null, ...NOTHING };
      for (let start = 0; start < ids.length; start += ABREAST) {
        const group = ids.slice(start, start + ABREAST);
        for (const news of await Promise.all(group.map((id) => reportOne(dependencies, scope, id)))) {
          part.compared += 1;
          if (news !== null) part[news] += 1;
        }
      }
      // A provider that says nothing at all is not asked for the rest of a long list.
      return part.unread === ids.length ? { ...part, after: null } : part;
    },
  };
}

const NOTHING = { compared: 0, found: 0, gone: 0, unread: 0 };

type News = 'found' | 'gone' | 'unread' | null;

async function reportOne(dependencies: Comparing, scope: WorkspaceScope, id: string): Promise<News> {
  const { database, clock } = dependencies;
  const offset = await inWorkspace(database, scope, 'SYSTEM', (trx) => readClockOffset(trx, scope));
  const comparison = await compare(dependencies, { scope, reason: 'SYSTEM' }, id, clock.now() + offset);
  if (comparison.reading.kind === 'unread') return 'unread';
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const row = await findBilledSubscription(trx, scope, id, 'lock');
    // What has changed meanwhile is compared by the next report.
    if (row?.version !== comparison.subscription.version) return null;
    const news = newsOf(await readFinding(trx, scope, id), comparison.drift);
    if (news === null) return null;
    await recordProviderSyncEvent(trx, scope, row, {
      ...eventOf(news, row, comparison),
      at: comparison.checkedAt,
      recordedAt: clock.now(),
    });
    const finding = { differences: differencesOf(comparison.drift), foundAt: comparison.checkedAt };
    await writeFinding(trx, scope, id, news === 'found' ? finding : null);
    return news;
  });
}

/** What could not be compared is no news: it neither differs nor agrees. */
function newsOf(last: DriftFinding | null, drift: Drift): 'found' | 'gone' | null {
  if (drift.inSync === null) return null;
  if (drift.inSync) return last === null ? null : 'gone';
  const same = JSON.stringify(last?.differences) === JSON.stringify(differencesOf(drift));
  return same ? null : 'found';
}

function differencesOf({ differences }: Drift): DriftFinding['differences'] {
  return differences.map(({ field, local, provider }) => ({ field, local, provider }));
}

function eventOf(news: 'found' | 'gone', { externalId }: BilledSubscription, { drift }: Comparison) {
  if (news === 'gone') {
    const message = `${externalId}'s subscription matches the payment provider's again.`;
    return { kind: 'drift_gone', status: 'OK', message } as const;
  }
  const words = drift.differences.map((difference) => difference.words).join(' ');
  return {
    kind: 'drift_found',
    status: 'ERROR',
    message: `${externalId}'s subscription differs from the payment provider's. ${words}`,
    data: { differences: differencesOf(drift) },
  } as const;
}
