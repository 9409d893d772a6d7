import type { Decimal } from '../domain/decimal';

/** One check or track, parsed. */
export interface UsageCall {
  operation: 'check' | 'track';
  externalId: string;
  /** The feature's key. */
  feature: string;
  /** Units: above zero, at most 10^12, at most six decimals. */
  quantity: Decimal;
  /** Origin of the usage, kept as the event's source. */
  source: string;
  /** Present on track. */
  claim: { key: string; fingerprint: Buffer } | null;
  requestId: string;
}

/** What the caller is answered with status 200: JSON text, so that a replay is the same bytes. */
export interface UsageAnswer {
  body: string;
  replayed: boolean;
}
