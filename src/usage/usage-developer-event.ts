import { ruleOf, type AccessDecision } from '../domain/access';
import { formatDecimal } from '../domain/decimal';
import { twinIdentifier } from '../identifiers/identifier';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import type { DecisionFigures } from './decision-figures';
import type { UsageCall } from './usage-call';

/**
 * The developer event of one decision: a granted check writes USAGE_CHECKED, a granted track USAGE_TRACKED, and
 * a denied one of either kind exactly one ENTITLEMENT_DENIED.
 */
export function usageDeveloperEvent(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId?: string; customerId: string },
  figures: DecisionFigures,
): PreparedEvent {
  const data = {
    operation: call.operation,
    decisionId: ids.decisionId,
    ...(ids.eventId === undefined ? {} : { eventId: ids.eventId }),
    ...(call.claim === null ? {} : { idempotencyKey: call.claim.key }),
    requestId: call.requestId,
    customerId: ids.customerId,
    ...(decision.reason === null ? {} : { reason: decision.reason.code }),
    rule: ruleOf(decision),
    ...figures,
    overage: figures.overage.quantity,
  };
  return {
    // With the decision's own time and random part: the decision's id leads to the event without an index of its own.
    id: twinIdentifier('developerEvent', ids.decisionId),
    type: !decision.allowed
      ? 'ENTITLEMENT_DENIED'
      : call.operation === 'check'
        ? 'USAGE_CHECKED'
        : 'USAGE_TRACKED',
    status: decision.allowed ? 'OK' : 'DENIED',
    message: messageOf(call, decision),
    source: call.source,
    data: JSON.stringify(data),
  };
}

function messageOf(call: UsageCall, decision: AccessDecision): string {
  const what = `${formatDecimal(call.quantity)} ${call.feature}`;
  if (decision.reason !== null) {
    return `${call.operation === 'check' ? 'Check' : 'Track'} of ${what} for ${call.externalId} denied: ${decision.reason.message}`;
  }
  return call.operation === 'check'
    ? `${call.externalId} may use ${what}.`
    : `${call.externalId} used ${what}.`;
}
