import type { LowCredits } from '../domain/credit-alert';
import { decimalToNumber, formatDecimal, type Decimal } from '../domain/decimal';
import { isoText } from '../domain/instant';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import { newIdentifier } from '../identifiers/identifier';
import type { CountedSource } from './counted-source';
import type { UsageCall } from './usage-call';

/** Ids of the track that reached the alert. */
export interface AlertIds {
  customerId: string;
  decisionId: string;
  eventId: string;
}

/**
 * Creates the developer event of a percentage of a quota that a track has reached.
 * @param usage units, without rollover
 */
export function thresholdEvent(
  call: UsageCall,
  ids: AlertIds,
  { subscriptionId, plan, period, resetInterval }: CountedSource,
  reached: { percent: number; quota: Decimal; usage: Decimal },
): PreparedEvent {
  const { percent, quota, usage } = reached;
  const { externalId, feature } = call;
  const end = period.end === null ? null : isoText(period.end);
  return alertEvent(
    'USAGE_THRESHOLD_REACHED',
    call,
    `${externalId} has reached ${percent} % of its quota of ${feature}: ${formatDecimal(usage)} of ${formatDecimal(quota)} used.`,
    {
      ...named(call, ids),
      subscriptionId,
      plan,
      percent,
      quota: decimalToNumber(quota),
      usage: decimalToNumber(usage),
      period: { start: isoText(period.start), end },
      resetInterval,
    },
  );
}

/** Creates the developer event of a customer whose credits are low after a track. */
export function creditsLowEvent(
  call: UsageCall,
  ids: AlertIds,
  { remaining, granted, percent }: LowCredits & { percent: number },
): PreparedEvent {
  return alertEvent(
    'CREDITS_LOW',
    call,
    `${call.externalId} has ${formatDecimal(remaining)} of ${formatDecimal(granted)} credits left: ${percent} % or less.`,
    {
      ...named(call, ids),
      creditBalance: decimalToNumber(remaining),
      granted: decimalToNumber(granted),
      percent,
    },
  );
}

function alertEvent(
  type: PreparedEvent['type'],
  { source }: UsageCall,
  message: string,
  data: Record<string, unknown>,
): PreparedEvent {
  const id = newIdentifier('developerEvent');
  return { id, type, status: 'OK', message, source, data: JSON.stringify(data) };
}

function named(
  { externalId, feature, requestId }: UsageCall,
  { customerId, decisionId, eventId }: AlertIds,
): Record<string, unknown> {
  return { decisionId, eventId, requestId, customerId, externalId, feature };
}
