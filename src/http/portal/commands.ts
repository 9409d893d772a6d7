import { z } from 'zod';
import { isTollgateError } from '../../domain/errors';
import { ipPrefix } from '../../operators/ip-prefix';
import { toCustomerSafe } from '../../portal/customer-safe';
import { payLinkSchema } from '../../portal/pay-link';
import { portalOutcomeSchema } from '../../portal/portal-outcome';
import { portalDoneSchema, portalPreviewSchema, portalUnderWaySchema } from '../../portal/portal-preview';
import { idParams, slug } from '../../schemas/text';
import type { Services } from '../../service/services';
import { namesSomething, shownChangeInput } from '../../subscriptions/change-resource';
import { WATCHING } from '../auth/portal-authenticator';
import { requiredClaim } from '../replayable';
import type { Reply, Route } from '../route';
import { workspaceRoute } from '../workspace-route';
import type { SubmitResult } from '../../operations/submit-result';
import { seatsInput } from '../../schemas/seats';

const tag = 'Customer’s page';
const subscription = '/portal/api/subscriptions/{id}';
const terms = z.strictObject({ planSlug: slug.optional(), seats: seatsInput.optional() });
const NOTHING = {
  path: ['planSlug'],
  error: 'is missing, as is seats: send at least one',
  params: { fix: 'Send planSlug, seats or both.' },
};
const change = terms.refine(namesSomething, NOTHING);
/** `shown` is optional, because a page from before an upgrade does not send it. */
const agreedChange = terms.extend({ shown: shownChangeInput.optional() }).refine(namesSomething, NOTHING);
/** An empty JSON body, which a form on another page cannot send. */
const nothing = z.strictObject({});
const watching = z.strictObject({ [WATCHING]: z.literal('true').optional() });
const errors = [
  'portal_action_not_offered',
  'subscription_not_found',
  'capability_unavailable',
  'capability_unsupported',
] as const;
const responses = {
  200: { description: 'Done', schema: portalDoneSchema },
  202: { description: 'Under way; ask for its outcome.', schema: portalUnderWaySchema },
};

/** Commands that customers give on their own subscriptions. */
export function portalCommandRoutes({
  portal: { commands },
  returnRedirect,
}: Pick<Services, 'portal' | 'returnRedirect'>): Route[] {
  const command = (
    operationId: string,
    name: string,
    kind: 'cancel' | 'reactivate' | 'withdraw_scheduled_change',
    summary: string,
  ): Route =>
    workspaceRoute({
      method: 'post',
      path: `${subscription}/${name}`,
      operationId,
      summary,
      tag,
      access: 'portal',
      params: idParams,
      body: nothing,
      idempotencyKey: 'required',
      responses,
      errors,
      handle: (actor, { params, principal, idempotency }) =>
        inTheirWords(async () =>
          doneReply(
            await commands.command(actor, principal.visitor, params.id, kind, requiredClaim(idempotency)),
          ),
        ),
    });
  return [
    workspaceRoute({
      method: 'post',
      path: `${subscription}/preview`,
      operationId: 'portalPreview',
      summary: 'Preview a change of plan or seats',
      tag,
      access: 'portal',
      params: idParams,
      body: change,
      responses: { 200: { description: 'What it would do', schema: portalPreviewSchema } },
      errors,
      answer: (actor, { params, principal, body }) =>
        inTheirWords(() => commands.preview(actor, principal.visitor, params.id, body)),
    }),
    workspaceRoute({
      method: 'post',
      path: `${subscription}/change`,
      operationId: 'portalChange',
      summary: 'Change plan or seats',
      tag,
      access: 'portal',
      params: idParams,
      body: agreedChange,
      idempotencyKey: 'required',
      responses,
      errors: [...errors, 'change_differs'],
      handle: (actor, { params, principal, body, idempotency }) =>
        inTheirWords(async () =>
          doneReply(
            await commands.change(actor, principal.visitor, params.id, body, requiredClaim(idempotency)),
          ),
        ),
    }),
    command('portalCancel', 'cancel', 'cancel', 'Cancel'),
    command('portalReactivate', 'reactivate', 'reactivate', 'Withdraw a cancellation'),
    command('portalWithdraw', 'withdraw', 'withdraw_scheduled_change', 'Withdraw the change that is planned'),
    workspaceRoute({
      method: 'get',
      path: '/portal/api/operations/{id}',
      operationId: 'portalOutcome',
      summary: 'Read the state of a command that was answered 202',
      tag,
      access: 'portal',
      params: idParams,
      query: watching,
      responses: { 200: { description: 'The outcome', schema: portalOutcomeSchema } },
      errors: ['operation_not_found'],
      answer: (actor, { params, principal }) =>
        inTheirWords(() => commands.outcome(actor, principal.visitor, params.id)),
    }),
    workspaceRoute({
      method: 'post',
      path: `${subscription}/pay-link`,
      operationId: 'portalPayLink',
      summary: 'Read where what is overdue is paid',
      tag,
      access: 'portal',
      params: idParams,
      query: watching,
      body: nothing,
      responses: { 200: { description: 'The address', schema: payLinkSchema } },
      errors,
      answer: (actor, { params, principal }) =>
        inTheirWords(() => commands.payLink(actor, principal.visitor, params.id)),
    }),
    workspaceRoute({
      method: 'post',
      path: `${subscription}/paid`,
      operationId: 'portalPaid',
      summary: 'Have the provider asked whether what is past due was paid',
      tag,
      access: 'portal',
      params: idParams,
      body: nothing,
      responses: { 204: { description: 'It is asked, at most once in a few seconds.' } },
      handle: async (actor, { params, principal, ip }) => {
        await inTheirWords(() => commands.requirePayable(actor, principal.visitor, params.id));
        await returnRedirect.returned(actor.scope, params.id, ipPrefix(ip));
        return { status: 204 };
      },
    }),
  ];
}

/** Converts a refusal to words meant for customers. */
async function inTheirWords<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw isTollgateError(error) ? toCustomerSafe(error) : error;
  }
}

function doneReply(submitted: SubmitResult): Reply {
  if (submitted.kind !== 'answered') return { status: 202, body: { operationId: submitted.operation.id } };
  // Parsed, so that only members meant for customers are passed on.
  return { status: 200, body: portalDoneSchema.parse(JSON.parse(submitted.answer.body)) };
}
