import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/clock/system-clock';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { openDatabase, type Database } from '../../src/db/pools';
import type { Instant } from '../../src/domain/instant';
import { nextWake, withOpenPayments } from '../../src/domain/lifecycle';
import type { BilledSubscription } from '../../src/subscriptions/billed-subscription';
import { findBilledSubscription } from '../../src/subscriptions/billed-subscription-store';
import { saveBilledSubscription } from '../../src/subscriptions/save-subscription-store';
import {
  createSubscriptionSteps,
  type DueStep,
  type SubscriptionSteps,
} from '../../src/subscriptions/subscription-steps';
import {
  listOpenDueAts,
  listTransactions,
  savePaidTransaction,
  type TransactionRow,
} from '../../src/subscriptions/transaction-store';
import { createLogger } from '../../src/telemetry/logger';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { CatalogueSeeder } from '../support/catalogue';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

/** Anchor and end of the first period of seeded subscriptions: 31 January and 28 February 2026. */
export const ANCHOR = Date.UTC(2026, 0, 31);
export const END = Date.UTC(2026, 1, 28);

type Columns = Record<string, unknown>;

/** A workspace whose due steps are taken one by one, without Temporal. */
export class SteppingWorkspace {
  private constructor(
    readonly cluster: TestDatabase,
    readonly database: Database,
    readonly steps: SubscriptionSteps,
    public workspace: TestWorkspace,
  ) {}

  static async start(): Promise<SteppingWorkspace> {
    const cluster = await createTestDatabase();
    const log = createLogger('test', 'fatal');
    const database = openDatabase(cluster.url('tollgate_worker'), { max: 5, applicationName: 'test', log });
    const commands = createOperationRunner({ database, clock: systemClock, handlers: operationHandlers });
    const steps = createSubscriptionSteps({ database, clock: systemClock, commands });
    return new SteppingWorkspace(cluster, database, steps, await createWorkspace(cluster));
  }

  /** Switches to a new workspace with unchanged settings. */
  async moveOn(): Promise<void> {
    this.workspace = await createWorkspace(this.cluster);
  }

  async stop(): Promise<void> {
    await this.database.destroy();
    await this.cluster.drop();
  }

  get scope(): WorkspaceScope {
    return this.workspace.sandbox;
  }

  plan(columns: Columns = {}): Promise<{ planId: string; planGroupId: string }> {
    return new CatalogueSeeder(this.cluster, this.scope).plan(randomUUID(), [], columns);
  }

  /** Inserts an active monthly subscription in its first period, with nothing open. */
  async subscribe(
    row: Columns = {},
    terms: { plan?: Columns; customer?: Columns; scope?: WorkspaceScope } = {},
  ): Promise<string> {
    const catalogue = new CatalogueSeeder(this.cluster, terms.scope ?? this.scope);
    const plan = await catalogue.plan(randomUUID(), [], terms.plan);
    const customer = await catalogue.customer(randomUUID(), terms.customer);
    return catalogue.subscription(customer, plan, {
      anchor: ANCHOR,
      current_period_end: new Date(END),
      next_wake_at: new Date(END),
      ...row,
    });
  }

  /** Takes everything due by an instant, one step after the other, as the workflow does. */
  async advance(id: string, at: Instant): Promise<BilledSubscription> {
    for (;;) {
      const state = await this.steps.read(this.scope, id);
      if (state === undefined) throw new Error(`There is no subscription ${id}.`);
      const wake = nextWake(state.subscription, at);
      if (wake.kind !== 'due') return state.subscription;
      const { step, boundary } = wake;
      await this.steps.take(this.scope, stepOf(id, { step, boundary, at }));
    }
  }

  /** Returns the transactions, newest first. */
  transactions(id: string): Promise<TransactionRow[]> {
    return inWorkspace(this.database, this.scope, 'SYSTEM', (trx) =>
      listTransactions(trx, this.scope, { subscriptionId: id, limit: 100 }),
    );
  }

  /** Pays a transaction in full. */
  async pay({ id, subscriptionId, total }: TransactionRow, paidAt: Instant): Promise<BilledSubscription> {
    return inWorkspace(this.database, this.scope, 'SYSTEM', async (trx) => {
      const locked = await findBilledSubscription(trx, this.scope, subscriptionId, 'lock');
      if (locked === undefined) throw new Error(`There is no subscription ${subscriptionId}.`);
      await savePaidTransaction(trx, this.scope, id, { status: 'paid', amountPaid: total, paidAt });
      const open = await listOpenDueAts(trx, this.scope, subscriptionId);
      return saveBilledSubscription(trx, this.scope, withOpenPayments(locked, open, paidAt), paidAt);
    });
  }

  /** Returns the history, oldest first; each entry must have its developer event. */
  async history(id: string): Promise<{ kind: string; happenedAt: Instant }[]> {
    const rows = await this.cluster.query<{ kind: string; happenedAt: Instant }>(
      `SELECT kind, happened_at AS "happenedAt" FROM tollgate.subscription_history
        WHERE subscription_id = $1 ORDER BY sequence`,
      [id],
    );
    const events = await this.cluster.query<{ change: string }>(
      `SELECT data->>'change' AS change FROM tollgate.developer_events
        WHERE data->>'subscriptionId' = $1 AND type = 'SUBSCRIPTION_CHANGED'`,
      [id],
    );
    expect(events.map(({ change }) => change).sort()).toEqual(rows.map(({ kind }) => kind).sort());
    return rows;
  }

  async settings(columns: Columns): Promise<void> {
    const names = Object.keys(columns);
    await this.cluster.query(
      `UPDATE tollgate.workspace_settings SET ${names.map((name, i) => `${name} = $${i + 3}`).join(', ')}
        WHERE workspace_id = $1 AND environment = $2`,
      [this.scope.workspaceId, this.scope.environment, ...Object.values(columns)],
    );
  }

  /** Schedules a change for the next renewal. */
  async schedule(id: string, change: { planId: string; seats: number }): Promise<void> {
    await this.cluster.query(
      `UPDATE tollgate.subscriptions
          SET scheduled_plan_id = $2, scheduled_seats = $3, scheduled_requested_at = $4 WHERE id = $1`,
      [id, change.planId, change.seats, new Date(ANCHOR)],
    );
  }
}

/** Returns the step that turns the first period; `more` overrides members. */
export function stepOf(subscriptionId: string, more: Partial<DueStep> = {}): DueStep {
  const step = more.step ?? 'turn_period';
  const boundary = more.boundary ?? END;
  const key = `${subscriptionId}:${step}:${boundary}`;
  return { subscriptionId, at: END + 1_000, key, ...more, step, boundary };
}
