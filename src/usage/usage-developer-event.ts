import type { AccessDecision } from '../domain/access';
import { formatDecimal } from '../domain/decimal';
import { twinIdentifier } from '../identifiers/identifier';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import { eventDataJson, type EventIds, type SharedMembers } from './decision-json';
import type { UsageCall } from './usage-call';

/**
 * Creates the developer event of one decision: USAGE_CHECKED for a granted check, USAGE_TRACKED for a granted track,
 * and exactly one ENTITLEMENT_DENIED for a denied check or track.
 */
export function usageDeveloperEvent(
  call: UsageCall,
  decision: AccessDecision,
  ids: EventIds,
  shared: SharedMembers,
): PreparedEvent {
  return {
    // Shares the decision id's time and random part, so that the event is found by that id without its own index.
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
