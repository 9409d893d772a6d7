import type { AccessDecision, Deduction } from '../domain/access';
import { decimalToNumber } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import type { DecisionFigures } from './decision-figures';
import type { UsageCall } from './usage-call';

/** A check's answer, and a denied track's `decision`: the balances as they are (docs/design.md, section 7). */
export function checkAnswer(
  decision: AccessDecision,
  decisionId: string,
  figures: DecisionFigures,
): Record<string, unknown> {
  return {
    status: decision.allowed ? 'access_granted' : 'access_denied',
    allowed: decision.allowed,
    reason: decision.reason,
    decisionId,
    ...figures,
  };
}

/** A granted track's answer: the balances after it. */
export function trackAnswer(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId: string },
  figures: DecisionFigures,
  recordedAt: Instant,
): Record<string, unknown> {
  return {
    status: 'access_granted',
    recorded: true,
    eventId: ids.eventId,
    decisionId: ids.decisionId,
    ...figures,
    source: call.source,
    deductions: decision.deductions.map(deductionMember),
    recordedAt: new Date(recordedAt).toISOString(),
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
