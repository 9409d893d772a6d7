import type { Client as TemporalClient } from '@temporalio/client';
import type { Client } from 'pg';
import type { Operations } from '../src/subscriptions/commands/operation-service';
import type { WorkflowSignals } from '../src/temporal/workflow-signals';
import type { WorkspaceScope } from '../src/tenancy/actor';
import type { Children } from './children';
import type { MeasuredProcesses } from './cost';
import type { Scratch } from './seed';

/** A running installation, and how much of what is measured on it. */
export interface Bench {
  children: Children;
  scratch: Scratch;
  admin: Client;
  scope: WorkspaceScope;
  operations: Operations;
  signals: WorkflowSignals;
  client: TemporalClient;
  /** Postgres, the worker and Temporal. */
  pids: MeasuredProcesses;
  /** Subscriptions `sub_1` … `sub_N`, which renew. */
  renewals: number;
  commands: number;
  /** Commands of a caller that is alone. */
  alone: number;
  /** The subscriptions that commands change. */
  targets: readonly string[];
  /** How long checks are measured before the renewals, and meanwhile; with 0 the renewals are alone. */
  checkSeconds: number;
  /** Whether Postgres counts statements (`statements.ts`). */
  countsStatements: boolean;
}

/** How many callers are at work at once. */
export const CONCURRENCY = 20;

/** Does a piece of work so many times, {@link CONCURRENCY} at once. */
export async function eachOf(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}

/** For `IN (…)`; the ids are of this benchmark's own making. */
export function quoted(ids: readonly string[]): string {
  return ids.map((id) => `'${id}'`).join(', ');
}
