import { findConnection } from '../connections/connection-store';
import { connectionNotFound } from '../connections/require-connection';
import { inWorkspace } from '../db/workspace-transaction';
import { requireMappable, requireWritable } from '../domain/drift-repair';
import { TollgateError } from '../domain/errors';
import { findStoredAnswer, type Claim } from '../idempotency/idempotency-store';
import { findOperationOfKey } from '../operations/operation-store';
import type { Operations } from '../subscriptions/commands/operation-service';
import type { Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import type { listQuery } from '../schemas/list';
import type { Actor } from '../tenancy/actor';
import { compare, type Comparing, type Comparison } from './compare';
import { toDriftResource, type DriftResource, type repairInput } from './drift-resource';
import { listSubscriptionsOfConnection } from './drift-store';
import { recordFinding } from './record-finding';
import { cannotRepair, nothingToCompare, type RepairCommand } from './repair-command';
import type { z } from 'zod';
import { callsToRestore, requireRestorable } from '../domain/drift-restore';
import type { SubmitResult } from '../operations/submit-result';

/** Differences between subscriptions and their payment providers, and their repair. */
export interface SubscriptionDrift {
  /** @throws TollgateError subscription_not_found */
  get(actor: Actor, subscriptionId: string): Promise<DriftResource>;
  /**
   * Lists the open subscriptions of a connection, newest first. A page may be shorter than requested, because each
   * subscription is read at the provider. If the provider does not answer, it is not asked for the rest of the page: the
   * list would take minutes, and say nothing more.
   *
   * @throws TollgateError connection_not_found, cursor_invalid
   */
  list(actor: Actor, connectionId: string, query: z.output<typeof listQuery>): Promise<Page<DriftResource>>;
  /**
   * Submits a repair, validated against the provider's current state. A known key is not validated again.
   *
   * @throws TollgateError subscription_not_found, capability_unsupported, capability_unavailable, provider_refused,
   *   plan_not_mapped, plan_group_differs, plan_currency_differs, validation_failed, and those of `Operations.submit`
   */
  repair(
    actor: Actor,
    subscriptionId: string,
    input: z.output<typeof repairInput>,
    claim: Claim,
  ): Promise<SubmitResult>;
}

/** Maximum number of subscriptions per page, and number read concurrently. */
const MOST = 25;
const CONCURRENCY = 5;
/** So many without an answer, and none with one: a single subscription may be unreadable. */
const SILENT = 2;

export function createSubscriptionDrift(
  dependencies: Comparing & { cursorSecret: string; operations: Pick<Operations, 'submit'> },
): SubscriptionDrift {
  const { database, cursorSecret: secret, operations } = dependencies;
  return {
    get: async (actor, id) => toDriftResource(await compareAndRecord(dependencies, actor, id)),

    async list(actor, connectionId, { take, cursor, from, to }) {
      const { scope, reason } = actor;
      const page = await inWorkspace(database, scope, reason, async (trx) => {
        if ((await findConnection(trx, scope, connectionId)) === undefined)
          throw connectionNotFound(connectionId);
        const filters = { connectionId };
        const list = { secret, scope, list: 'drift', filters, take: Math.min(take, MOST), cursor, from, to };
        return pageById(list, (rows) => listSubscriptionsOfConnection(trx, scope, connectionId, rows));
      });
      const data: DriftResource[] = [];
      let unanswered: string[] = [];
      for (let start = 0; start < page.data.length; start += CONCURRENCY) {
        const group = page.data.slice(start, start + CONCURRENCY);
        const [silence = null] = unanswered.length < SILENT ? [] : unanswered;
        const comparing = group.map(({ id }) => compareAndRecord(dependencies, actor, id, silence));
        const compared = await Promise.all(comparing);
        unanswered = unansweredAfter(unanswered, compared);
        data.push(...compared.map(toDriftResource));
      }
      return { ...page, data };
    },

    async repair(actor, subscriptionId, input, claim) {
      const command = { kind: 'repair', subscriptionId, targetId: subscriptionId } as const;
      const known = await inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const answer = await findStoredAnswer(trx, actor.scope, claim);
        return answer !== undefined || (await findOperationOfKey(trx, actor.scope, claim.key)) !== undefined;
      });
      // The operation already holds the command accepted under the key.
      if (known) return operations.submit(actor, { ...command, input: {} }, claim);
      const comparison = await compare(dependencies, actor, subscriptionId, actor.now);
      return operations.submit(actor, { ...command, input: judged(comparison, input) }, claim);
    },
  };
}

async function compareAndRecord(
  dependencies: Comparing,
  actor: Actor,
  id: string,
  silence: string | null = null,
): Promise<Comparison> {
  const comparison = await compare(dependencies, actor, id, actor.now, silence);
  await recordFinding(dependencies, actor, comparison);
  return comparison;
}

/**
 * Returns why the provider did not answer for subscriptions since it last answered for one. A subscription for which it
 * was not asked says nothing.
 */
function unansweredAfter(before: string[], compared: readonly Comparison[]): string[] {
  const readings = compared.map(({ reading }) => reading);
  if (readings.some(({ kind }) => kind !== 'unread')) return [];
  const reasons = readings.flatMap((reading) =>
    reading.kind === 'unread' && reading.silent === true ? [reading.reason] : [],
  );
  return [...before, ...reasons];
}

/**
 * Returns the command to accept, or throws its refusal. It is checked before it waits for its turn, so that the caller
 * learns early whether it is possible.
 */
function judged(comparison: Comparison, input: z.output<typeof repairInput>): RepairCommand {
  const { subscription, reading, plans, drift, checkedAt: now } = comparison;
  const { take } = input;
  const [obstacle] = drift.unverifiable;
  if (obstacle?.code === 'local') throw nothingToCompare();
  if (obstacle?.code === 'under_way')
    throw cannotRepair(subscription, now, obstacle.reason, 'provider_unsettled');
  const found = drift.differences.map(({ field, local, provider }) => ({ field, local, provider }));
  const command = { take, found, endsMissing: false };
  switch (reading.kind) {
    case 'missing':
      if (take === 'provider' && input.endMissing) return { ...command, endsMissing: true };
      throw new TollgateError('provider_refused', MISSING);
    case 'unread':
      // The provider's state can be read later, but the calls to send to it cannot be determined without it.
      if (take === 'provider') return command;
      throw new TollgateError('provider_refused', reading.reason);
    case 'read':
      break;
  }
  if (take === 'provider') {
    requireWritable(drift.differences);
    requireMappable(subscription, reading.facts, plans, now);
  } else {
    const fields = found.map(({ field }) => field);
    requireRestorable(subscription, drift.differences, callsToRestore(subscription, fields, plans), now);
  }
  return command;
}

const MISSING =
  'The payment provider does not have this subscription. Check that the connection leads to the account that created it. If it does, send `"take": "provider", "endMissing": true` to end it here.';
