import type { z } from 'zod';
import { together } from '../db/calls';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { periodOverAt } from '../domain/pending-cancellation';
import { snapshotTax } from '../domain/tax';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { decodeCursor, encodeCursor, mapPage, pageOf, type Page } from '../pagination/cursor';
import { rangeFilters, requireOrdered } from '../pagination/time-range';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import type { listQuery } from '../schemas/list';
import { taxAtCall } from '../settings/earlier-tax-store';
import { readSettings } from '../settings/settings-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { openInternalSubscription, type OpenSubscriptionInput } from './open-internal-subscription';
import { dueUntil, toDue, type duePageSchema, type listDueQuery } from './due-resource';
import { requireSubscription } from './require-subscription';
import { listHistory } from './subscription-history-store';
import {
  toSubscriptionResource,
  type listSubscriptionsQuery,
  type SubscriptionResource,
} from './subscription-resource';
import { listSubscriptions, listSubscriptionsDue, type SubscriptionRow } from './subscription-store';
import { upcomingOf, type UpcomingEntry } from './timeline';
import { toTimelineEntry, toUpcoming, type TimelineResource } from './timeline-resource';

export interface Subscriptions {
  /** Lists subscriptions, newest first. */
  list(actor: Actor, query: z.output<typeof listSubscriptionsQuery>): Promise<Page<SubscriptionResource>>;
  /** Lists open subscriptions whose current period ends within a time range, earliest first. */
  due(actor: Actor, query: z.output<typeof listDueQuery>): Promise<z.output<typeof duePageSchema>>;
  /** @throws TollgateError subscription_not_found */
  get(actor: Actor, id: string): Promise<SubscriptionResource>;
  /**
   * Lists past events, newest first, and upcoming steps.
   *
   * @throws TollgateError subscription_not_found
   */
  timeline(actor: Actor, id: string, query: z.output<typeof listQuery>): Promise<TimelineResource>;
  /**
   * Opens a subscription once per claim.
   *
   * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists
   */
  open(actor: Actor, input: OpenSubscriptionInput, claim: Claim): Promise<StoredAnswer>;
}

export function createSubscriptions(options: { database: Database; cursorSecret: string }): Subscriptions {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason, now }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const { renewsFrom, renewsTo, ...words } = filters;
        requireOrdered({ from: renewsFrom, to: renewsTo }, { from: 'renewsFrom', to: 'renewsTo' });
        const bound = { ...words, renewsFrom: renewsFrom?.toString(), renewsTo: renewsTo?.toString() };
        const list = {
          secret: cursorSecret,
          scope,
          list: 'subscriptions',
          filters: bound,
          take,
          cursor,
          from,
          to,
        };
        const page = await pageByCreation(list, (part) =>
          listSubscriptions(trx, scope, { ...omitUndefined(filters), ...part }),
        );
        return mapPage(page, (row) => toSubscriptionResource(row, now));
      }),

    due: ({ scope, reason, now }, { take, cursor, from: wanted, within }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const binding = { ...scope, list: 'due', filters: { from: wanted?.toString(), within } };
        // Later pages keep the first page's window.
        const [first, at, id] = cursor === undefined ? [] : decodeCursor(cursorSecret, binding, cursor);
        const from = first === undefined ? (wanted ?? now) : Number(first);
        const after = id === undefined ? {} : { after: { at: Number(at), id: String(id) } };
        const window = { from, to: dueUntil(from, within), limit: take + 1, ...after };
        const rows = await listSubscriptionsDue(trx, scope, window);
        const page = pageOf(rows, take, (last) =>
          encodeCursor(cursorSecret, binding, [from, periodOverAt(last), last.id]),
        );
        const settings = await readSettings(trx, scope);
        return mapPage(page, (row) => toDue(row, snapshotTax(settings, row.customerCountry), now));
      }),

    get: ({ scope, reason, now }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toSubscriptionResource(await requireSubscription(trx, scope, id), now),
      ),

    timeline: ({ scope, reason, now }, id, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await requireSubscription(trx, scope, id);
        const binding = {
          ...scope,
          list: 'subscription-timeline',
          filters: { subscriptionId: id, ...rangeFilters({ from, to }) },
        };
        const [before] = cursor === undefined ? [] : decodeCursor(cursorSecret, binding, cursor);
        const history = await listHistory(trx, scope, id, {
          limit: take + 1,
          from,
          to,
          ...(before === undefined ? {} : { before: String(before) }),
        });
        const page = pageOf(history, take, (last) => encodeCursor(cursorSecret, binding, [last.sequence]));
        const upcoming = await readUpcoming(trx, scope, row, now);
        return { ...mapPage(page, toTimelineEntry), upcoming: upcoming.map(toUpcoming) };
      }),

    open: (actor, input, claim) =>
      inWorkspaceFor(database, actor, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: await openInternalSubscription(trx, actor, input),
        })),
      ),
  };
}

async function readUpcoming(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SubscriptionRow,
  now: Instant,
): Promise<UpcomingEntry[]> {
  // An overdue renewal charges the tax of its boundary, as it does the price.
  const [settings] = await together(trx, [taxAtCall(scope, row.currentPeriodEnd)]);
  return upcomingOf(row, snapshotTax(settings, row.customerCountry), now);
}
