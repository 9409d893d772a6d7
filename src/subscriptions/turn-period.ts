import type { Clock } from '../clock/clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { endTrial, nextWake, turnPeriod, type Wake } from '../domain/lifecycle';
import { recordDeveloperEvent, type NewDeveloperEvent } from '../events/developer-event-store';
import type { WorkspaceScope } from '../tenancy/scope';
import { findTurningRow, updateTurnedRow, type TurningRow } from './turn-period-store';

type Step = Extract<Wake, { kind: 'due' }>['step'];

/** A step that is due, as the subscription's workflow asks for it. */
export interface DueStep {
  subscriptionId: string;
  step: Step;
  /** The instant that makes it due. */
  boundary: Instant;
  /** The workspace's time that it is judged at. */
  at: Instant;
  /** Names the step for good; it stands in the event. */
  key: string;
}

/** The row as it is now, and how far the workspace's time is ahead of real time (milliseconds). */
export interface TurningState {
  row: TurningRow;
  clockOffset: number;
}

/** What time does to subscriptions of local billing. */
export interface PeriodTurns {
  /** Undefined when there is no such subscription, or a payment provider turns its periods. */
  read(scope: WorkspaceScope, subscriptionId: string): Promise<TurningState | undefined>;
  /**
   * Takes the step if the row still waits for it, in one transaction with its developer event. A step that was taken
   * already, or that something else has made needless, does nothing.
   *
   * @returns the row as it is afterwards
   */
  take(scope: WorkspaceScope, due: DueStep): Promise<TurningState | undefined>;
}

export function createPeriodTurns(options: { database: Database; clock: Clock }): PeriodTurns {
  const { database, clock } = options;
  const stateOf = async (
    trx: Transaction,
    scope: WorkspaceScope,
    row: TurningRow | undefined,
  ): Promise<TurningState | undefined> => {
    // A provider's boundaries come from the provider: turning by the calendar could grant what nobody paid for.
    if (row?.provider !== 'internal') return undefined;
    return { row, clockOffset: await readClockOffset(trx, scope) };
  };
  return {
    read: (scope, subscriptionId) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) =>
        stateOf(trx, scope, await findTurningRow(trx, scope, subscriptionId, 'read')),
      ),

    take: (scope, due) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const state = await stateOf(trx, scope, await findTurningRow(trx, scope, due.subscriptionId, 'lock'));
        if (state === undefined || !isDue(state.row, due)) return state;
        const row = after(state.row, due.step);
        await updateTurnedRow(trx, scope, row, {
          nextWakeAt: instantOf(nextWake(row, due.at)),
          updatedAt: due.at,
        });
        await recordDeveloperEvent(trx, scope, eventOf(row, due), clock.now());
        return { ...state, row };
      }),
  };
}

function isDue(row: TurningRow, due: DueStep): boolean {
  const wake = nextWake(row, due.at);
  return wake.kind === 'due' && wake.step === due.step && wake.boundary === due.boundary;
}

function after(row: TurningRow, step: Step): TurningRow {
  // Who began with a trial pays what was offered then; a new price of the plan applies from the next renewal.
  if (step === 'end_trial') return endTrial(row);
  return { ...turnPeriod(row), unitAmount: row.planPriceAmount };
}

/** When the row has something to do next: what is overdue stays findable for the sweep. */
function instantOf(wake: Wake): Instant | null {
  switch (wake.kind) {
    case 'wait':
      return wake.at;
    case 'due':
      return wake.boundary;
    case 'finished':
      return null;
  }
}

function eventOf(row: TurningRow, due: DueStep): NewDeveloperEvent {
  const start = new Date(row.currentPeriodStart).toISOString();
  const end = new Date(row.currentPeriodEnd).toISOString();
  const trialEnded = due.step === 'end_trial';
  return {
    type: 'SUBSCRIPTION_CHANGED',
    status: 'OK',
    message: trialEnded
      ? `${row.externalId}'s trial of ${row.planSlug} ended; the first paid period lasts until ${end}.`
      : `${row.externalId} renewed ${row.planSlug}; the period lasts until ${end}.`,
    source: 'billing',
    data: {
      subscriptionId: row.id,
      change: trialEnded ? 'trial_ended' : 'period_turned',
      changeId: due.key,
      customerId: row.customerId,
      externalId: row.externalId,
      planId: row.planId,
      plan: row.planSlug,
      seats: row.seats,
      status: row.status,
      currentPeriodStart: start,
      currentPeriodEnd: end,
    },
  };
}
