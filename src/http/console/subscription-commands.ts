import { z } from 'zod';
import { TollgateError } from '../../domain/errors';
import { fingerprintOf } from '../../idempotency/idempotency-key';
import { operationSchema } from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { changePreviewSchema } from '../../subscriptions/change-preview-resource';
import { changeInput, changeQuery, changeSchema } from '../../subscriptions/change-resource';
import { commandReply, requiredClaim } from '../replayable';
import { route, type Route } from '../route';

const tag = 'Subscriptions';
const pending = {
  description: 'Accepted and still under way; `Location` says where to look.',
  schema: operationSchema,
};
const commandErrors = [
  'subscription_not_found',
  'capability_unavailable',
  'capability_unsupported',
  'connection_disabled',
  'provider_refused',
  'temporal_unavailable',
  'service_busy',
] as const;
const changed = { description: 'The change, and the subscription after it', schema: changeSchema };

/** What is done to a subscription, `/api/billing/subscriptions/{id}/…`; its workflow does one thing at a time. */
export function subscriptionCommandRoutes({
  operations,
  changePreviews,
  changes,
}: Pick<Services, 'operations' | 'changePreviews' | 'changes'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/billing/subscriptions/{id}/cancel',
      operationId: 'cancelSubscription',
      summary: 'Cancel a subscription',
      description:
        'Local billing and provider B end at once: access is denied from the next call on, open transactions are void, a scheduled change is withdrawn. Providers A and C end with the period (`capabilities.cancel.timing`). Cancelling what is cancelled changes nothing.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      idempotencyKey: 'required',
      responses: { 200: changed, 202: pending },
      errors: commandErrors,
      handle: async ({ principal, params: { id }, idempotency }) =>
        commandReply(
          await operations.submit(
            await principal.actor(),
            { kind: 'cancel', subscriptionId: id, targetId: id, input: {} },
            requiredClaim(idempotency),
          ),
        ),
    }),
    route({
      method: 'post',
      path: '/api/billing/subscriptions/{id}/reactivate',
      operationId: 'reactivateSubscription',
      summary: 'Take a cancellation back',
      description:
        'Before the period’s end, where the subscription’s provider supports it: see `capabilities.reactivate`.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      idempotencyKey: 'required',
      responses: { 200: changed, 202: pending },
      errors: commandErrors,
      handle: async ({ principal, params: { id }, idempotency }) =>
        commandReply(
          await operations.submit(
            await principal.actor(),
            { kind: 'reactivate', subscriptionId: id, targetId: id, input: {} },
            requiredClaim(idempotency),
          ),
        ),
    }),
    route({
      method: 'post',
      path: '/api/billing/subscriptions/{id}/change',
      operationId: 'changeSubscription',
      summary: 'Change plan or seats',
      description:
        'An upgrade or more seats take effect at once, with one transaction for the net amount (at provider A: charged there, or refused and nothing changed); a downgrade, fewer seats or another interval at the next renewal. At provider B the customer approves every change at `approvalUrl`, and it comes with the renewal. `dryRun=true` answers what would happen, needs no Idempotency-Key and does nothing.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      query: changeQuery,
      body: changeInput,
      idempotencyKey: 'optional',
      responses: {
        200: {
          description: 'The change, or with `dryRun=true` its preview',
          schema: z.union([changeSchema, changePreviewSchema]),
        },
        202: pending,
      },
      errors: [
        ...commandErrors,
        'idempotency_key_required',
        'payment_declined',
        'plan_not_mapped',
        'plan_price_differs',
        'connection_not_found',
        'plan_not_found',
        'plan_archived',
        'plan_currency_differs',
        'plan_group_differs',
        'interval_change_unsupported',
        'change_without_effect',
      ],
      handle: async ({ principal, params: { id }, query, body, idempotency }) => {
        const actor = await principal.actor();
        if (query.dryRun) return { status: 200, body: await changePreviews.preview(actor, id, body) };
        if (idempotency === null) {
          throw new TollgateError('idempotency_key_required', 'The Idempotency-Key header is missing.');
        }
        return commandReply(await changes.submit(actor, id, body, idempotency));
      },
    }),
    route({
      method: 'delete',
      path: '/api/billing/subscriptions/{id}/scheduled-change',
      operationId: 'withdrawScheduledChange',
      summary: 'Withdraw the scheduled change',
      description:
        'Until its renewal, or until the customer has approved it; the terms of now go on. Without an Idempotency-Key a retry is a new request.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      idempotencyKey: 'optional',
      responses: { 200: changed, 202: pending },
      errors: [...commandErrors, 'no_scheduled_change'],
      handle: async ({ principal, params, idempotency, requestId }) => {
        const { id } = params;
        const claim = idempotency ?? {
          key: requestId,
          fingerprint: fingerprintOf('delete', 'scheduled-change', params, undefined, undefined),
        };
        const command = {
          kind: 'withdraw_scheduled_change',
          subscriptionId: id,
          targetId: id,
          input: {},
        } as const;
        return commandReply(await operations.submit(await principal.actor(), command, claim));
      },
    }),
  ];
}
