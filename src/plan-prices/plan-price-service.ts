import { findPlan, listPlans, type PlanRow } from '../catalog/plan-store';
import { findConnection, listAllConnections, type ConnectionRow } from '../connections/connection-store';
import { connectOrRefuse, type ConnectedOrRefused } from '../connections/connected-providers';
import type { ConnectionOpening } from '../connections/open-connection';
import { planReferenceOf } from '../connections/plan-reference';
import type { ProviderAnswers } from '../domain/connection-test';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { PlanPrice, PriceReading } from '../domain/plan-price-comparison';
import type { ProviderAdapters } from '../providers/provider-adapter';
import type { Actor } from '../tenancy/actor';
import { toPlanPriceResource, type PlanPriceResource } from '../catalog/plan-price-resource';
import { readPlanPrice } from './read-plan-price';
import { requireSamePrice, type PlanToSell } from './require-same-price';
import { reportPriceDifferences } from './report-price-differences';

type Who = Pick<Actor, 'scope' | 'reason'>;
/** Includes the real time, for the events. */
type Asker = Who & Pick<Actor, 'receivedAt'>;

/**
 * Compares plan prices with the providers' prices, which are read each time. A developer event reports each new
 * difference, and each one that has ended.
 */
export interface PlanPrices {
  /**
   * Compares every plan that has a reference at the connection and takes new subscriptions; differing ones come first.
   */
  ofConnection(who: Asker, connectionId: string): Promise<PlanPriceResource[]>;
  /** Compares as `ofConnection` does, and returns whether the provider answered. */
  report(who: Asker, connectionId: string): Promise<ProviderAnswers>;
  /** Compares one plan, at every enabled connection that has a reference for it. */
  ofPlan(who: Asker, planId: string): Promise<PlanPriceResource[]>;
  /**
   * Refuses a sale at a price other than the plan's. If the prices cannot be compared, because the connection cannot be
   * opened or the provider does not answer, the decision is left to the caller.
   *
   * @throws TollgateError plan_price_differs
   */
  requireSame(who: Who, connectionId: string, plan: PlanToSell): Promise<void>;
}

interface Mapped {
  connectionId: string;
  planReference: string;
  plan: PlanPrice & { id: string; slug: string };
}

/** Plans compared, and the provider's answers: those that were requested. */
interface ComparedPrices {
  compared: PlanPriceResource[];
  readings: PriceReading[];
}

/** Maximum number of plans read, and of those with a reference that are compared in one response, newest first. */
const READ = 10_000;
const MOST = 100;
const CONCURRENCY = 5;

export function createPlanPrices(
  dependencies: ConnectionOpening & {
    database: Database;
    providerAdapters: ProviderAdapters;
  },
): PlanPrices {
  const { database } = dependencies;
  const inScope = <T>({ scope, reason }: Who, work: (trx: DbTransaction) => Promise<T>): Promise<T> =>
    inWorkspace(database, scope, reason, work);

  return {
    async ofConnection(who, connectionId) {
      return (await compareConnection(who, connectionId)).compared;
    },

    async report(who, connectionId) {
      const { readings } = await compareConnection(who, connectionId);
      const unread = readings.filter((reading) => reading.kind === 'unread');
      const refused = unread.filter((reading) => reading.refused === true).length;
      const silent = unread.filter((reading) => reading.refused !== true && reading.silent === true).length;
      return { answered: readings.length - refused - silent, refused };
    },

    async ofPlan(who, planId) {
      const mapped = await inScope(who, async (trx) => {
        const plan = await findPlan(trx, who.scope, { id: planId });
        const connections = await listAllConnections(trx, who.scope);
        const usable = connections.filter(({ disabled_at: disabledAt }) => disabledAt === null);
        return plan === undefined ? [] : usable.flatMap((connection) => mappedAt(connection, plan));
      });
      const compared: PlanPriceResource[] = [];
      for (const one of mapped) {
        const { compared: prices } = await compareAll(await open(who, one.connectionId), [one]);
        await inScope(who, (trx) =>
          reportPriceDifferences(trx, who.scope, one.connectionId, { compared: prices }, who.receivedAt),
        );
        compared.push(...prices);
      }
      return compared;
    },

    async requireSame(who, connectionId, plan) {
      const opened = await open(who, connectionId);
      if ('adapter' in opened) await requireSamePrice(opened, plan);
    },
  };

  async function compareConnection(who: Asker, connectionId: string): Promise<ComparedPrices> {
    const mapped = await inScope(who, async (trx) => {
      const connection = await findConnection(trx, who.scope, connectionId);
      const plans = await listPlans(trx, who.scope, { archived: false, take: READ });
      return connection === undefined ? [] : plans.flatMap((plan) => mappedAt(connection, plan));
    });
    const { compared, readings } = await compareAll(await open(who, connectionId), mapped.slice(0, MOST));
    await inScope(who, (trx) =>
      reportPriceDifferences(
        trx,
        who.scope,
        connectionId,
        { compared, mapped: mapped.map(({ plan }) => plan.id) },
        who.receivedAt,
      ),
    );
    return { compared, readings };
  }

  function open(who: Who, id: string): Promise<ConnectedOrRefused> {
    return inScope(who, (trx) => connectOrRefuse(trx, dependencies, who.scope, id));
  }

  /** Compares a few prices at a time. If none of them can be read, the provider is not queried for the rest. */
  async function compareAll(opened: ConnectedOrRefused, mapped: readonly Mapped[]): Promise<ComparedPrices> {
    const references = [...new Set(mapped.map(({ planReference }) => planReference))];
    const readings = new Map<string, PriceReading>();
    let refusal = 'refusal' in opened ? opened.refusal : null;
    for (let start = 0; start < references.length && refusal === null; start += CONCURRENCY) {
      if (!('adapter' in opened)) break;
      const group = references.slice(start, start + CONCURRENCY);
      const read = await Promise.all(group.map((reference) => readPlanPrice(opened, reference)));
      for (const [place, reference] of group.entries()) {
        const reading = read[place];
        if (reading !== undefined) readings.set(reference, reading);
      }
      const [first] = read;
      if (first?.kind === 'unread' && read.every(({ kind }) => kind === 'unread')) refusal = first.reason;
    }
    const unread: PriceReading = { kind: 'unread', reason: refusal ?? 'The price was not requested.' };
    const compared = mapped
      .map(({ plan, connectionId, planReference }) => {
        const at = { connectionId, planReference };
        return toPlanPriceResource(plan, at, readings.get(planReference) ?? unread);
      })
      .sort((one, other) => ORDER[one.result] - ORDER[other.result]);
    return { compared, readings: [...readings.values()] };
  }
}

const ORDER = { differs: 0, unverifiable: 1, equal: 2 } as const;

function mappedAt(connection: ConnectionRow, row: PlanRow): Mapped[] {
  const planReference = planReferenceOf(connection, row);
  if (planReference === null) return [];
  const { id, slug, pricing, billingInterval: interval } = row;
  const price = { amount: BigInt(row.priceAmount), currency: row.priceCurrency };
  return [{ connectionId: connection.id, planReference, plan: { id, slug, pricing, interval, price } }];
}
