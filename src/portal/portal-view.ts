import { createHash } from 'node:crypto';
import type { Plans } from '../catalog/plan-service';
import type { PlanResource } from '../catalog/plan-resource';
import { readFeatureNames } from '../catalog/feature-store';
import type { Checkouts } from '../checkouts/checkout-service';
import type { CheckoutResource } from '../checkouts/checkout-resource';
import { readBalanceRows, readHeld } from '../customers/balance-store';
import { balancesOf } from '../customers/balances';
import { sumSpendableCredits } from '../customers/credit-store';
import { findCustomer } from '../customers/customer-store';
import type { Database } from '../db/pools';
import { inWorkspaceSnapshot } from '../db/workspace-transaction';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import { endsAt } from '../domain/pending-cancellation';
import { hasEnded } from '../domain/subscription-types';
import { findOrganization } from '../organizations/organization-store';
import type { Payments } from '../payments/payment-service';
import type { Refunds } from '../payments/refund-service';
import { readSettings } from '../settings/settings-store';
import type { Transactions } from '../subscriptions/transaction-service';
import { listSubscriptionsOf, type SubscriptionRow } from '../subscriptions/subscription-store';
import type { Actor } from '../tenancy/actor';
import { brandOf } from './brand';
import { toPortalPayment, toPortalTransaction, toOpenPayments } from './portal-money';
import type { PortalVisitor } from './portal-session-service';
import { readPortalSettings } from './portal-settings-store';
import { toPortalSubscription } from './portal-subscription';
import type { PortalView } from './portal-view-schema';

/** Reads the content of a customer's page. */
export type ReadPortalView = (actor: Actor, visitor: PortalVisitor) => Promise<PortalView>;

const MAX_SUBSCRIPTIONS = 50;
/** Maximum number of transactions, payments and open checkouts that are read, the latest. */
const MAX_ROWS = 25;
const MAX_PLANS = 100;
const MAX_PENDING_REFUNDS = 200;

export interface PortalReaders {
  database: Database;
  plans: Pick<Plans, 'list' | 'listNamed'>;
  checkouts: Pick<Checkouts, 'list'>;
  transactions: Pick<Transactions, 'list'>;
  payments: Pick<Payments, 'list'>;
  refunds: Pick<Refunds, 'list'>;
}

export function createReadPortalView(readers: PortalReaders): ReadPortalView {
  const { database, plans, checkouts, transactions, payments, refunds } = readers;

  /**
   * Returns the plans of the groups, and the names of these and of the plans of upcoming changes, including archived
   * ones.
   */
  async function plansOf(actor: Actor, rows: readonly SubscriptionRow[], offers: boolean) {
    const groups = offers ? [...new Set(rows.map(({ planGroupId }) => planGroupId))] : [];
    const offered: PlanResource[] = [];
    for (const planGroupId of groups) {
      const query = { planGroupId, archived: false, take: MAX_PLANS };
      offered.push(...(await plans.list(actor, query)).data);
    }
    const named = [...new Set(rows.flatMap(targetsOf))];
    const further = named.length === 0 ? [] : await plans.listNamed(actor, named);
    return { offered, planNames: new Map([...offered, ...further].map(({ id, name }) => [id, name])) };
  }

  return async (actor, { customerId, returnUrl }) => {
    const base = await readBase(database, actor, customerId);
    const { settings, rows } = base;
    const shows = new Set(settings.shows);
    const { offered, planNames } = await plansOf(actor, rows, shows.has('planChange'));
    const ofCustomer = { customerId, take: MAX_ROWS };
    const open: CheckoutResource[] = shows.has('pay')
      ? (await checkouts.list(actor, { ...ofCustomer, status: 'open' })).data
      : [];
    const charged = shows.has('transactions') ? (await transactions.list(actor, ofCustomer)).data : [];
    const paid = shows.has('payments') ? (await payments.list(actor, ofCustomer)).data : [];
    const isRefunded = paid.some(({ refundedAmount }) => refundedAmount.amount !== '0');
    const ofRefunds = { customerId, status: 'pending', take: MAX_PENDING_REFUNDS } as const;
    const pending = isRefunded ? (await refunds.list(actor, ofRefunds)).data : [];
    const context = {
      now: actor.now,
      policy: base.policy,
      plans: offered,
      planNames,
      shows: settings.shows,
      chosenFrom: settings.plans,
      payUrls: payUrlsOf(open),
    };
    return {
      brand: brandOf(settings, base.organizationName),
      customer: { key: keyOf(customerId), name: base.customerName },
      returnUrl,
      shows: [...settings.shows],
      subscriptions: rows.map((row) => toPortalSubscription(row, context)),
      usage: shows.has('usage') ? base.usage : [],
      credits: shows.has('usage') ? base.credits : 0,
      openPayments: toOpenPayments(open),
      transactions: charged.map(toPortalTransaction),
      payments: paid.map((payment) => toPortalPayment(payment, pending)),
    };
  };
}

function targetsOf({ scheduled, work: { request } }: SubscriptionRow): string[] {
  return [scheduled?.planId, request?.planId].filter((id) => id !== undefined);
}

function payUrlsOf(open: readonly CheckoutResource[]): Map<string, string> {
  return new Map(
    open.flatMap(({ subscriptionId, url }) =>
      subscriptionId === null || url === null ? [] : [[subscriptionId, url] as const],
    ),
  );
}

type Usage = PortalView['usage'];

function readBase(database: Database, { scope, reason, now }: Actor, customerId: string) {
  return inWorkspaceSnapshot(database, scope, reason, async (trx) => {
    const customer = await findCustomer(trx, scope, { id: customerId });
    const organization = await findOrganization(trx, scope.workspaceId);
    const policy = await readSettings(trx, scope);
    const names = await readFeatureNames(trx, scope);
    const balances = balancesOf(
      await readBalanceRows(trx, scope, customerId, now),
      await readHeld(trx, scope, customerId, now),
      policy,
      now,
    );
    const rows = shown(await listSubscriptionsOf(trx, scope, customerId, MAX_SUBSCRIPTIONS));
    const usage: Usage = balances
      // If nothing is granted, as while a payment is overdue, nothing is counted either. Such a balance must not be
      // shown as a quota of zero.
      .filter(({ period, quota, unlimited }) => period !== null || unlimited || quota !== 0)
      .map(({ feature, period, ...figures }) => ({
        ...figures,
        feature: names.get(feature) ?? feature,
        resetsAt: resetOf(period?.end ?? null, rows),
      }));
    return {
      settings: await readPortalSettings(trx, scope),
      policy,
      organizationName: organization?.name ?? '',
      customerName: customer?.name ?? null,
      usage,
      credits: decimalToNumber(parseDecimal(await sumSpendableCredits(trx, scope, customerId, now))),
      rows,
    };
  });
}

/** Returns the subscriptions that have not ended, or else the most recent one. */
function shown(rows: readonly SubscriptionRow[]): SubscriptionRow[] {
  const open = rows.filter(({ status }) => !hasEnded(status));
  return open.length > 0 ? open : rows.slice(0, 1);
}

/** Returns when a quota starts again: never, if all subscriptions end by then. */
function resetOf(periodEnd: string | null, rows: readonly SubscriptionRow[]): string | null {
  if (periodEnd === null) return null;
  return rows.some((row) => (endsAt(row) ?? Infinity) > Date.parse(periodEnd)) ? periodEnd : null;
}

/** Returns a name by which the page tells one customer from another; it reveals nothing that the service calls them. */
function keyOf(customerId: string): string {
  return createHash('sha256').update(customerId).digest('base64url').slice(0, 16);
}
