import { createHash } from 'node:crypto';
import { readFeatureNames } from '../catalog/feature-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mayChoosePlan, offersChange, partsOfChange, type PortalPart } from '../domain/portal';
import { opensAgain } from '../domain/operation-status';
import { findStoredAnswer, type Claim } from '../idempotency/idempotency-store';
import { findOperation, findOperationOfKey } from '../operations/operation-store';
import { operationNotFound } from '../operations/read-operation';
import type { ChangeOrder } from '../subscriptions/change-order';
import type { ChangeInput } from '../subscriptions/change-resource';
import type { Changes } from '../subscriptions/commands/submit-change';
import type { Operations } from '../subscriptions/commands/operation-service';
import type { ChangePreviews } from '../subscriptions/preview-change';
import { findSubscription, type SubscriptionRow } from '../subscriptions/subscription-store';
import type { Actor } from '../tenancy/actor';
import type { FindPayLink, PayLink } from './pay-link';
import { toPortalOutcome, type PortalOutcome } from './portal-outcome';
import { toPortalPreview, type PortalPreview } from './portal-preview';
import type { PortalVisitor } from './portal-session-service';
import { readPortalSettings, type PortalSettings } from './portal-settings-store';
import type { SubmitResult } from '../operations/submit-result';

/** A change of plan or seats, as requested by the page. */
type PortalChange = Pick<ChangeInput, 'planSlug' | 'seats'>;

/** A requested change with what the page showed of it, which it must not exceed. */
type AgreedChange = PortalChange & Pick<ChangeOrder, 'shown'>;

/**
 * Actions of customers on their page: the services of the API, limited to the customer's own subscriptions and to what
 * the page offers.
 *
 * Each throws TollgateError subscription_not_found if the subscription is not the customer's,
 * portal_action_not_offered, and the service's own refusals.
 */
export interface PortalCommands {
  /** Checks that the customer may report a payment as made. */
  requirePayable(actor: Actor, visitor: PortalVisitor, id: string): Promise<void>;
  /** Returns where an overdue amount is paid at its provider. */
  payLink(actor: Actor, visitor: PortalVisitor, id: string): Promise<PayLink>;
  preview(actor: Actor, visitor: PortalVisitor, id: string, change: PortalChange): Promise<PortalPreview>;
  /** @throws TollgateError change_differs if it would have another effect than shown, or cost more */
  change(
    actor: Actor,
    visitor: PortalVisitor,
    id: string,
    change: AgreedChange,
    claim: Claim,
  ): Promise<SubmitResult>;
  command(
    actor: Actor,
    visitor: PortalVisitor,
    id: string,
    kind: 'cancel' | 'reactivate' | 'withdraw_scheduled_change',
    claim: Claim,
  ): Promise<SubmitResult>;
  /**
   * Returns the outcome of a command that was answered 202.
   *
   * @throws TollgateError operation_not_found if it was not sent from a customer's page, or by another customer
   */
  outcome(actor: Actor, visitor: PortalVisitor, operationId: string): Promise<PortalOutcome>;
}

export function createPortalCommands(options: {
  database: Database;
  operations: Pick<Operations, 'submit'>;
  changes: Changes;
  changePreviews: ChangePreviews;
  findPayLink: FindPayLink;
}): PortalCommands {
  const { database, operations, changes, changePreviews, findPayLink } = options;

  async function find(actor: Actor, { customerId }: PortalVisitor, id: string) {
    const { scope, reason } = actor;
    return inWorkspace(database, scope, reason, async (trx) => {
      const row = await findSubscription(trx, scope, id);
      if (row?.customerId !== customerId)
        throw new TollgateError('subscription_not_found', 'There is no such subscription.');
      return { row, settings: await readPortalSettings(trx, scope) };
    });
  }

  /**
   * Returns whether a command was accepted under the key. What the page offers by now does not matter to it: its
   * customer gets its answer.
   */
  async function isAccepted({ scope, reason }: Actor, claim: Claim): Promise<boolean> {
    return inWorkspace(database, scope, reason, async (trx) => {
      if ((await findStoredAnswer(trx, scope, claim)) !== undefined) return true;
      const known = await findOperationOfKey(trx, scope, claim.key);
      return known !== undefined && !opensAgain(known.status);
    });
  }

  function featureNames({ scope, reason }: Actor): Promise<Map<string, string>> {
    return inWorkspace(database, scope, reason, (trx) => readFeatureNames(trx, scope));
  }

  return {
    async payLink(actor, visitor, id) {
      const { row, settings } = await find(actor, visitor, id);
      requirePart('pay', settings);
      return findPayLink(actor, row);
    },

    async requirePayable(actor, visitor, id) {
      requirePart('pay', (await find(actor, visitor, id)).settings);
    },

    async preview(actor, visitor, id, change) {
      requireOffered(change, await find(actor, visitor, id));
      const preview = await changePreviews.preview(actor, id, change);
      return toPortalPreview(preview, await featureNames(actor));
    },

    async change(actor, visitor, id, change, claim) {
      const found = await find(actor, visitor, id);
      const own = ownClaim(visitor, claim);
      if (!(await isAccepted(actor, own))) requireOffered(change, found);
      return changes.submit(actor, id, change, own);
    },

    async command(actor, visitor, id, kind, claim) {
      const found = await find(actor, visitor, id);
      const own = ownClaim(visitor, claim);
      if (!(await isAccepted(actor, own))) {
        // Only a customer who may request the change may withdraw it.
        if (kind === 'withdraw_scheduled_change') requireOffered({}, found);
        else requirePart(kind, found.settings);
      }
      const command = { kind, subscriptionId: id, targetId: id, input: {} } as const;
      return operations.submit(actor, command, own);
    },

    outcome: ({ scope, reason }, { customerId }, operationId) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const operation = await findOperation(trx, scope, operationId);
        const id = operation?.reason === 'CUSTOMER' ? operation.subscriptionId : null;
        const subscription = id === null ? undefined : await findSubscription(trx, scope, id);
        if (operation === undefined || subscription?.customerId !== customerId)
          throw operationNotFound(operationId);
        return toPortalOutcome(operation);
      }),
  };
}

function requireOffered(
  change: PortalChange,
  { row, settings }: { row: SubscriptionRow; settings: PortalSettings },
): void {
  const { planSlug, seats } = row;
  const parts = partsOfChange(change, { planSlug, seats }, row.work.request ?? row.scheduled);
  if (!offersChange(settings.shows, parts)) throw notOffered();
  const chosen = change.planSlug ?? planSlug;
  if (chosen !== planSlug && !mayChoosePlan(chosen, settings.plans)) throw notOffered();
}

function requirePart(part: PortalPart, { shows }: PortalSettings): void {
  if (!shows.includes(part)) throw notOffered();
}

function notOffered(): TollgateError {
  return new TollgateError('portal_action_not_offered', 'This is not offered on this page.');
}

/** Separates the customer's keys from all others, so that none can collide with one of the application's. */
function ownClaim({ customerId }: PortalVisitor, { key, fingerprint }: Claim): Claim {
  const hash = createHash('sha256').update(`${customerId} ${key}`).digest('base64url');
  return { key: `portal-${hash}`, fingerprint };
}
