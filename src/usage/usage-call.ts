import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';

/** One check or track, parsed. */
export interface UsageCall {
  operation: 'check' | 'track';
  externalId: string;
  /** The feature's key. */
  feature: string;
  /** Units: above zero, at most 10^12, at most six decimals. */
  quantity: Decimal;
  /** The customer's entity that uses it; null: none is named. */
  entity: string | null;
  /** Origin of the usage, stored as the event's source. */
  source: string;
  /** Time of the use, if the caller gives one; null: the time of the decision. Always null on check. */
  timestamp: Instant | null;
  /** The caller's properties, as the text of a flat JSON object. */
  properties: string | null;
  /**
   * On a check: the reservation that it makes if it is granted, and how long that holds the units. Its id is chosen
   * once per call, so that a call that is tried again knows what its first try has reserved.
   */
  reserve: { id: string; expiresInSeconds: number } | null;
  /** On a track: the reservation that it confirms. */
  reservationId: string | null;
  /** Present on track. */
  claim: { key: string; fingerprint: Buffer } | null;
  requestId: string;
}

/** Whether the call changes balances, and so takes the locks of its customer. */
export function changesBalances({ claim, reserve }: UsageCall): boolean {
  return claim !== null || reserve !== null;
}

/** The caller's response with status 200: JSON text, so that a replay returns the same bytes. */
export interface UsageAnswer {
  body: string;
  replayed: boolean;
}

/**
 * Creates a check from its parsed input.
 * @param source the origin of the question
 */
export function toCheckCall(
  about: Pick<UsageCall, 'externalId' | 'feature' | 'quantity'> & {
    entity?: string | undefined;
    reserve?: { expiresInSeconds: number } | undefined;
  },
  source: string,
  requestId: string,
): UsageCall {
  const { externalId, feature, quantity, entity = null, reserve } = about;
  // Written out, because a second spread creates an object that stays slow.
  return {
    operation: 'check',
    externalId,
    feature,
    quantity,
    entity,
    source,
    timestamp: null,
    properties: null,
    reserve: reserve === undefined ? null : { id: newIdentifier('reservation'), ...reserve },
    reservationId: null,
    claim: null,
    requestId,
  };
}

/** A call whose caller waits for its answer. */
export interface WaitingCall {
  call: UsageCall;
  resolve: (answer: UsageAnswer) => void;
  reject: (error: unknown) => void;
}
