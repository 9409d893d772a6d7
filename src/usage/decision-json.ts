import { ruleOf, type AccessDecision, type Deduction, type EntityBalance } from '../domain/access';
import { decimalToNumber, type Decimal } from '../domain/decimal';
import { isoText, type Instant } from '../domain/instant';
import type { Period } from '../domain/period';
import type { UsageCall } from './usage-call';

/*
 * The JSON text of a decision: of the answer (usage-answer-schema.ts) and of its developer event. It is written member
 * by member, because building and stringifying both objects costs three times as much, and more than the decision.
 * Identifiers, numbers and instants need no escaping; all other text is quoted.
 */

/** The members that the answer and the developer event share, without braces. */
export interface SharedMembers {
  /** The members before `overage`, which differs between the two. */
  before: string;
  after: string;
}

/** Builds the shared members. The balances are those after a granted track, and the current ones otherwise. */
export function sharedMembers(call: UsageCall, decision: AccessDecision): SharedMembers {
  // A denial does not change the balances.
  const balances = call.operation === 'track' ? decision.after : decision.before;
  const { enforcement, period, plan, subscriptionId } = decision;
  const quota = numberOrNull(balances.quota);
  const remaining = numberOrNull(balances.remaining);
  return {
    before: `"externalId":${quoted(call.externalId)},"feature":${quoted(call.feature)},"quantity":${decimalToNumber(call.quantity)},${entityJson(call.entity, balances.entity)}"usage":${decimalToNumber(balances.usage)},"quota":${quota},"remaining":${remaining},"unlimited":${balances.unlimited},"rollover":${decimalToNumber(balances.rollover)},"reserved":${decimalToNumber(balances.reserved)},"enforcement":${quotedOrNull(enforcement)},"creditBalance":${decimalToNumber(balances.creditBalance)}`,
    after: `"period":${period === null ? 'null' : periodJson(period)},"plan":${plan === null ? 'null' : `{"id":"${plan.id}","slug":${quoted(plan.slug)}}`},"subscriptionId":${quotedOrNull(subscriptionId)}`,
  };
}

/** Builds a check's answer, or a denied track's `decision`, with the current balances (docs/design.md, section 7). */
export function checkJson(
  decision: AccessDecision,
  decisionId: string,
  shared: SharedMembers,
  reservation?: { id: string; expiresAt: Instant },
): string {
  const { allowed, reason } = decision;
  const status = allowed ? 'access_granted' : 'access_denied';
  const why = reason === null ? 'null' : `{"code":"${reason.code}","message":${quoted(reason.message)}}`;
  return `{"status":"${status}","allowed":${allowed},"reason":${why},"decisionId":"${decisionId}",${reservationJson(reservation)}${figuresJson(decision, shared)}}`;
}

/** Builds the member of the entity that the call names, with its balance. */
function entityJson(id: string | null, balance: EntityBalance | null): string {
  if (id === null) return '';
  const { usage, quota, remaining, reserved } = balance ?? NO_BALANCE;
  return `"entity":{"id":${quoted(id)},"usage":${decimalToNumber(usage)},"quota":${numberOrNull(quota)},"remaining":${numberOrNull(remaining)},"reserved":${decimalToNumber(reserved)}},`;
}

/** Balance if no subscription grants the feature. */
const NO_BALANCE: EntityBalance = { usage: 0n, quota: 0n, remaining: 0n, reserved: 0n };

const numberOrNull = (decimal: Decimal | null): number | null =>
  decimal === null ? null : decimalToNumber(decimal);

function reservationJson(reservation: { id: string; expiresAt: Instant } | undefined): string {
  if (reservation === undefined) return '';
  return `"reservationId":"${reservation.id}","reservationExpiresAt":"${isoText(reservation.expiresAt)}",`;
}

/** Builds a granted track's answer, with the balances after it. */
export function trackJson(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId: string },
  shared: SharedMembers,
  recorded: { recordedAt: Instant; late: boolean },
): string {
  const at = isoText(recorded.recordedAt);
  const usedAt = call.timestamp === null ? at : isoText(call.timestamp);
  const deductions = decision.deductions.map(deductionJson).join(',');
  return `{"status":"access_granted","recorded":true,"eventId":"${ids.eventId}","decisionId":"${ids.decisionId}",${figuresJson(decision, shared)},"source":${quoted(call.source)},"deductions":[${deductions}],"timestamp":"${usedAt}","late":${recorded.late},"recordedAt":"${at}"}`;
}

/** Ids in the developer event of a decision. */
export interface EventIds {
  decisionId: string;
  eventId?: string;
  customerId: string;
  /** Set for a check that holds units; a track has it in its call. */
  reservationId?: string;
}

/** Builds the developer event's data. */
export function eventDataJson(
  call: UsageCall,
  decision: AccessDecision,
  ids: EventIds,
  shared: SharedMembers,
): string {
  const reservationId = ids.reservationId ?? call.reservationId;
  const reservation = reservationId === null ? '' : `"reservationId":"${reservationId}",`;
  const eventId = ids.eventId === undefined ? '' : `"eventId":"${ids.eventId}",`;
  const key = call.claim === null ? '' : `"idempotencyKey":${quoted(call.claim.key)},`;
  const usedAt = call.timestamp === null ? '' : `"timestamp":"${isoText(call.timestamp)}",`;
  const reason = decision.reason === null ? '' : `"reason":"${decision.reason.code}",`;
  const overage = decimalToNumber(decision.overage.quantity);
  return `{"operation":"${call.operation}","decisionId":"${ids.decisionId}",${eventId}${key}"requestId":"${call.requestId}","customerId":"${ids.customerId}",${reservation}${usedAt}${reason}"rule":"${ruleOf(decision)}",${shared.before},"overage":${overage},${shared.after}}`;
}

/** Builds the shared members in the form of the answers. */
function figuresJson({ overage }: AccessDecision, { before, after }: SharedMembers): string {
  return `${before},"overage":{"allowed":${overage.allowed},"quantity":${decimalToNumber(overage.quantity)}},${after}`;
}

/** Builds a period; `end` is null if the quota never resets. */
function periodJson({ start, end }: Period): string {
  return `{"start":"${isoText(start)}","end":${end === null ? 'null' : `"${isoText(end)}"`}}`;
}

function deductionJson(deduction: Deduction): string {
  const credits =
    deduction.from === 'credits'
      ? `,"credits":${decimalToNumber(deduction.credits)},"grantId":"${deduction.grantId}"`
      : '';
  return `{"from":"${deduction.from}","quantity":${decimalToNumber(deduction.quantity)},"subscriptionId":"${deduction.subscriptionId}"${credits}}`;
}

const quoted = (text: string): string => JSON.stringify(text);

const quotedOrNull = (word: string | null): string => (word === null ? 'null' : `"${word}"`);
