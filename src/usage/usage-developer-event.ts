import type { AccessDecision } from '../domain/access';
import { formatDecimal } from '../domain/decimal';
import { twinIdentifier } from '../identifiers/identifier';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import { eventDataJson, type EventIds, type SharedMembers } from './decision-json';
import type { UsageCall } from './usage-call';

/**
 * The developer event of one decision: a granted check writes USAGE_CHECKED, a granted track USAGE_TRACKED, and
 * a denied one of either kind exactly one ENTITLEMENT_DENIED.
 */
export function usageDeveloperEvent(
  call: UsageCall,
  decision: AccessDecision,
  ids: EventIds,
  shared: SharedMembers,
): PreparedEvent {
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
    data: eventDataJson(call, decision, ids, shared),
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
