import type { AccessDecision } from '../domain/access';
import { decimalToNumber, formatDecimal } from '../domain/decimal';
import { newIdentifier } from '../identifiers/identifier';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import type { UsageCall } from './usage-call';

/**
 * The developer event of one decision: a granted check writes USAGE_CHECKED, a granted track USAGE_TRACKED, and
 * a denied one of either kind exactly one ENTITLEMENT_DENIED.
 */
export function usageDeveloperEvent(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId?: string; customerId: string },
): PreparedEvent {
  const snapshot = call.operation === 'track' ? decision.after : decision.before;
  const data = {
    operation: call.operation,
    decisionId: ids.decisionId,
    ...(ids.eventId === undefined ? {} : { eventId: ids.eventId }),
    ...(call.claim === null ? {} : { idempotencyKey: call.claim.key }),
    requestId: call.requestId,
    customerId: ids.customerId,
    externalId: call.externalId,
    feature: call.feature,
    quantity: decimalToNumber(call.quantity),
    ...(decision.reason === null ? {} : { reason: decision.reason.code }),
    usage: decimalToNumber(snapshot.usage),
    remaining: snapshot.remaining === null ? null : decimalToNumber(snapshot.remaining),
    overage: decimalToNumber(decision.overage.quantity),
    subscriptionId: decision.subscriptionId,
  };
  return {
    id: newIdentifier('developerEvent'),
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
