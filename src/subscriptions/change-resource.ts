import { z } from 'zod';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { timeSchema, toTime } from '../schemas/instant';
import { identifier, slug } from '../schemas/text';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ScheduledChange } from './billed-subscription';
import { subscriptionSchema, toSubscriptionResource } from './subscription-resource';
import { findSubscription, type SubscriptionRow } from './subscription-store';
import { toTransactionResource, transactionSchema } from './transaction-resource';
import type { TransactionRow } from './transaction-store';
import { requireWritten } from './require-subscription';
import { seatsInput } from '../schemas/seats';
import { termsSchema, toTerms } from './terms-resource';

const EFFECTIVE = ['immediate', 'period_end', 'next_renewal', 'after_confirmation'] as const;

export const effectiveSchema = z.enum(EFFECTIVE).meta({
  description: '`next_renewal`: it takes effect at the end of the period and can be withdrawn until then.',
});

/** The answer to every command on a subscription. */
export const changeSchema = z
  .object({
    subscription: subscriptionSchema,
    effective: effectiveSchema,
    effectiveAt: timeSchema,
    transaction: transactionSchema
      .optional()
      .meta({ description: 'What an immediate change costs, in local billing.' }),
    withdrawn: termsSchema.optional().meta({
      description:
        'The change that this withdraws. If that is both a scheduled one and one that awaits an approval, it is the scheduled one; each has its own `subscription.changed`.',
    }),
    requiresCustomerAction: z.boolean(),
    approvalUrl: z.string().optional().meta({
      description: 'Where the customer approves the change; also in the subscription’s `pendingApproval`.',
    }),
  })
  .meta({ id: 'SubscriptionChange' });

export type ChangeResource = z.output<typeof changeSchema>;

const termsInput = z.strictObject({
  planId: identifier.optional(),
  planSlug: slug.optional(),
  seats: seatsInput.optional(),
});

/** What the person who agreed to a change was shown of it. */
export const shownChangeInput = z
  .strictObject({
    effective: effectiveSchema,
    dueNow: z
      .string()
      .regex(/^-?\d{1,18}$/, { error: 'is not a whole number of minor units, as text' })
      .meta({ example: '1451' }),
    withdraws: termsSchema.nullable().optional(),
    // Text, because the stored command is parsed again.
    effectiveAt: z.iso
      .datetime({ error: 'is not an ISO 8601 time in UTC, with Z' })
      .meta({ example: '2026-01-31T00:00:00.000Z' })
      .optional(),
  })
  .meta({
    description:
      'What the preview showed to the person who confirms the change: its `effective`, `effectiveAt`, `withdraws`, and the amount of its `dueNow`. The change is refused with `change_differs` if it would take effect at another time, cost more (by more than 3 minor units, which rounding may add), or replace a planned change that was not shown.',
  });

type Terms = z.output<typeof termsInput>;

const namesOnePlan = ({ planId, planSlug }: Terms): boolean => planId === undefined || planSlug === undefined;

/** Whether terms name anything that a change could change. */
export const namesSomething = ({ planId, planSlug, seats }: Terms): boolean =>
  [planId, planSlug, seats].some((value) => value !== undefined);
const TWO_PLANS = {
  path: ['planSlug'],
  error: 'and planId both name the plan: send only one',
  params: { fix: 'Send either planId or planSlug.' },
};
const NOTHING = {
  path: ['planId'],
  error: 'is missing, as are planSlug and seats: send at least one',
  params: { fix: 'Send planId, planSlug or seats.' },
};

export const changeInput = termsInput.refine(namesOnePlan, TWO_PLANS).refine(namesSomething, NOTHING);

export type ChangeInput = z.output<typeof changeInput>;

/** A change with the preview shown for it, if a page showed one. */
export const changeOrderInput = termsInput
  .extend({ shown: shownChangeInput.optional() })
  .refine(namesOnePlan, TWO_PLANS)
  .refine(namesSomething, NOTHING);

export const changeQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: '`true`: nothing is changed; the answer is a preview of the change.' }),
});

/** The part of a command's answer that is not the subscription itself. */
export interface ChangeOutcome {
  effective: ChangeResource['effective'];
  effectiveAt: Instant;
  transaction?: TransactionRow;
  withdrawn: Pick<ScheduledChange, 'planId' | 'planSlug' | 'seats'> | null;
  requiresCustomerAction?: boolean;
  approvalUrl?: string | null;
}

/** Returns the answer, with the subscription as the open transaction has written it. */
export async function answerChange(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
  outcome: ChangeOutcome,
): Promise<{ status: 200; body: ChangeResource }> {
  return changeAnswer(requireWritten(await findSubscription(trx, scope, subscriptionId)), now, outcome);
}

/** @param row the subscription as the open transaction has written it */
export function changeAnswer(
  row: SubscriptionRow,
  now: Instant,
  outcome: ChangeOutcome,
): { status: 200; body: ChangeResource } {
  const { effective, effectiveAt, transaction, withdrawn, requiresCustomerAction = false } = outcome;
  const approvalUrl = outcome.approvalUrl ?? null;
  const body: ChangeResource = {
    subscription: toSubscriptionResource(row, now),
    effective,
    effectiveAt: toTime(effectiveAt),
    ...(transaction === undefined ? {} : { transaction: toTransactionResource(transaction) }),
    ...(withdrawn === null ? {} : { withdrawn: toTerms(withdrawn) }),
    requiresCustomerAction,
    ...(approvalUrl === null ? {} : { approvalUrl }),
  };
  return { status: 200, body };
}
