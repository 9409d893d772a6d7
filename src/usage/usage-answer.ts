import type { AccessDecision, AccessSnapshot, Deduction } from '../domain/access';
import { decimalToNumber } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { Period } from '../domain/period';
import type { UsageCall } from './usage-call';

/** The members that check's and track's answers share (docs/design.md, section 7). */
function decisionMembers(
  call: UsageCall,
  decision: AccessDecision,
  decisionId: string,
  snapshot: AccessSnapshot,
): Record<string, unknown> {
  return {
    decisionId,
    externalId: call.externalId,
    feature: call.feature,
    quantity: decimalToNumber(call.quantity),
    usage: decimalToNumber(snapshot.usage),
    quota: snapshot.quota === null ? null : decimalToNumber(snapshot.quota),
    remaining: snapshot.remaining === null ? null : decimalToNumber(snapshot.remaining),
    unlimited: snapshot.unlimited,
    enforcement: decision.enforcement,
    creditBalance: decimalToNumber(snapshot.creditBalance),
    overage: { allowed: decision.overage.allowed, quantity: decimalToNumber(decision.overage.quantity) },
    period: decision.period === null ? null : usagePeriodMember(decision.period),
    plan: decision.plan,
    subscriptionId: decision.subscriptionId,
  };
}

/** A check's answer, and a denied track's `decision`: the balances as they are. */
export function checkAnswer(
  call: UsageCall,
  decision: AccessDecision,
  decisionId: string,
): Record<string, unknown> {
  return {
    status: decision.allowed ? 'access_granted' : 'access_denied',
    allowed: decision.allowed,
    reason: decision.reason,
    ...decisionMembers(call, decision, decisionId, decision.before),
  };
}

/** A granted track's answer: the balances after it. */
export function trackAnswer(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId: string },
  recordedAt: Instant,
): Record<string, unknown> {
  return {
    status: 'access_granted',
    recorded: true,
    eventId: ids.eventId,
    ...decisionMembers(call, decision, ids.decisionId, decision.after),
    source: call.source,
    deductions: decision.deductions.map(deductionMember),
    recordedAt: iso(recordedAt),
  };
}

function deductionMember(deduction: Deduction): Record<string, unknown> {
  return {
    from: deduction.from,
    quantity: decimalToNumber(deduction.quantity),
    subscriptionId: deduction.subscriptionId,
    ...(deduction.from === 'credits'
      ? { credits: decimalToNumber(deduction.credits), grantId: deduction.grantId }
      : {}),
  };
}

/** A usage period as answers and events have it; `end` is null where the quota never resets. */
export function usagePeriodMember({ start, end }: Period): { start: string; end: string | null } {
  return { start: iso(start), end: end === null ? null : iso(end) };
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString();
}
