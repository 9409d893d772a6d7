import { z } from 'zod';
import { TollgateError, type ErrorCode } from '../../domain/errors';
import { fingerprintOf } from '../../idempotency/idempotency-key';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { changePreviewSchema } from '../../subscriptions/change-preview-resource';
import { changeOrderInput, changeQuery, changeSchema } from '../../subscriptions/change-resource';
import { subscriptionSchema } from '../../subscriptions/subscription-resource';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Subscriptions';
const commandErrors = [
  'subscription_not_found',
  'capability_unavailable',
  'connection_disabled',
  'provider_refused',
  'temporal_unavailable',
  'service_busy',
] as const;
const changed = { description: 'The change, and the subscription after it', schema: changeSchema };

/** Commands on a subscription, `/api/billing/subscriptions/{id}/…`; its workflow runs one at a time. */
export function subscriptionCommandRoutes({
  operations,
  changePreviews,
  changes,
  retrySubscription,
}: Pick<Services, 'operations' | 'changePreviews' | 'changes' | 'retrySubscription'>): MountedRoute[] {
  return [
    commandRoute(operations, 'cancel', {
      summary: 'Cancel a subscription',
      description:
        'Local billing and provider B end at once: access is denied from the next call, open transactions are void, and a scheduled change is withdrawn. Providers A and C end with the period (`capabilities.cancel.timing`). Cancelling again changes nothing.',
    }),
    commandRoute(operations, 'reactivate', {
      summary: 'Reactivate a subscription',
      description:
        'Withdraws a cancellation before the end of the period, if the provider supports it: see `capabilities.reactivate`.',
      errors: ['capability_unsupported'],
    }),
    mountedRoute({
      method: 'post',
      operationId: 'retrySubscription',
      summary: 'Retry pending work at the provider now',
      description:
        'Runs what is waiting at the payment provider now: a call without an outcome, a failed preparation of a renewal, the poll for an approval, a renewal or a payment. Its workflow does this right after the answer; `waitingFor` and the timeline show the result.',
      tag,
      console: { path: '/api/billing/subscriptions/{id}/retry', role: 'developer' },
      params: idParams,
      responses: { 200: { description: 'The subscription', schema: subscriptionSchema } },
      errors: ['subscription_not_found', 'nothing_to_retry', 'service_busy'],
      answer: (actor, { params }) => retrySubscription(actor, params.id),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'changeSubscription',
      summary: 'Change plan or seats',
      description:
        'An upgrade or more seats take effect at once, with one transaction for the net amount (provider A charges it on its own invoice, or refuses the change). A downgrade, fewer seats or another interval take effect at the next renewal. At provider B, the customer approves every change at `approvalUrl`, and it takes effect at the renewal. `dryRun=true` previews the change and needs no Idempotency-Key; `shown` holds the change to what its preview said.',
      tag,
      console: { path: '/api/billing/subscriptions/{id}/change', role: 'developer' },
      v1: { path: '/v1/subscriptions/{id}/change', scopes: { anyOf: ['subscriptions'] } },
      params: idParams,
      query: changeQuery,
      body: changeOrderInput,
      example: { planSlug: 'starter', seats: 1 },
      idempotencyKey: 'optional',
      responses: {
        200: {
          description: 'The change, or with `dryRun=true` its preview',
          schema: z.union([changeSchema, changePreviewSchema]),
        },
        202: pendingOperation,
      },
      errors: [
        ...commandErrors,
        'capability_unsupported',
        'idempotency_key_required',
        'payment_declined',
        'plan_not_mapped',
        'plan_price_differs',
        'plan_not_found',
        'plan_archived',
        'plan_currency_differs',
        'plan_group_differs',
        'interval_change_unsupported',
        'change_without_effect',
        'change_differs',
      ],
      handle: async (actor, { params: { id }, query, body, idempotency, principal }) => {
        if (query.dryRun) return { status: 200, body: await changePreviews.preview(actor, id, body) };
        if (idempotency === null) {
          throw new TollgateError('idempotency_key_required', 'The Idempotency-Key header is missing.');
        }
        return commandReply(await changes.submit(actor, id, body, idempotency), principal);
      },
    }),
    mountedRoute({
      method: 'delete',
      operationId: 'withdrawScheduledChange',
      summary: 'Withdraw the scheduled change',
      description:
        'Possible until the renewal, or until the customer has approved it. The current terms continue. Without an Idempotency-Key, a retry is a new request.',
      tag,
      console: { path: '/api/billing/subscriptions/{id}/scheduled-change', role: 'developer' },
      v1: { path: '/v1/subscriptions/{id}/scheduled-change', scopes: { anyOf: ['subscriptions'] } },
      params: idParams,
      idempotencyKey: 'optional',
      responses: { 200: changed, 202: pendingOperation },
      errors: [...commandErrors, 'no_scheduled_change'],
      handle: async (actor, { params, idempotency, requestId, principal }) => {
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
        return commandReply(await operations.submit(actor, command, claim), principal);
      },
    }),
  ];
}

/** Declares a command without input, whose 200 answers with the change. */
function commandRoute(
  operations: Services['operations'],
  kind: 'cancel' | 'reactivate',
  { errors = [], ...described }: { summary: string; description: string; errors?: readonly ErrorCode[] },
): MountedRoute {
  return mountedRoute({
    method: 'post',
    operationId: `${kind}Subscription`,
    ...described,
    tag,
    console: { path: `/api/billing/subscriptions/{id}/${kind}`, role: 'developer' },
    v1: { path: `/v1/subscriptions/{id}/${kind}`, scopes: { anyOf: ['subscriptions'] } },
    params: idParams,
    idempotencyKey: 'required',
    responses: { 200: changed, 202: pendingOperation },
    errors: [...commandErrors, ...errors],
    handle: async (actor, { params: { id }, idempotency, principal }) => {
      const command = { kind, subscriptionId: id, targetId: id, input: {} } as const;
      return commandReply(await operations.submit(actor, command, requiredClaim(idempotency)), principal);
    },
  });
}
