import type { Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';

/** One check or track, parsed. */
export interface UsageCall {
  operation: 'check' | 'track';
  externalId: string;
  /** The feature's key. */
  feature: string;
  /** Units: above zero, at most 10^12, at most six decimals. */
  quantity: Decimal;
  /** Which of the customer's entities uses it; null: none is named. */
  entity: string | null;
  /** Origin of the usage, kept as the event's source. */
  source: string;
  /** When it was used, where the caller says so; null: when it is decided. Always null on check. */
  timestamp: Instant | null;
  /** What the caller says about it, as the text of a flat JSON object. */
  properties: string | null;
  /** On a check: the units are held so long, where it is granted. */
  reserve: { expiresInSeconds: number } | null;
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

/** What the caller is answered with status 200: JSON text, so that a replay is the same bytes. */
export interface UsageAnswer {
  body: string;
  replayed: boolean;
}

/** A check that was read. @param source the origin of the question */
export function toCheckCall(
  about: Pick<UsageCall, 'externalId' | 'feature' | 'quantity'> & {
    entity?: string | undefined;
    reserve?: UsageCall['reserve'] | undefined;
  },
  source: string,
  requestId: string,
): UsageCall {
  const { externalId, feature, quantity, entity = null, reserve = null } = about;
  // Written out: a second spread makes an object that is slow ever after.
  return {
    operation: 'check',
    externalId,
    feature,
    quantity,
    entity,
    source,
    timestamp: null,
    properties: null,
    reserve,
    reservationId: null,
    claim: null,
    requestId,
  };
}

/** A call and who waits for its answer. */
export interface WaitingCall {
  call: UsageCall;
  resolve: (answer: UsageAnswer) => void;
  reject: (error: unknown) => void;
}
