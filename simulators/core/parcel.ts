import type { NamedCall } from './named-call';
import type { WebhookDelivery, WebhookRecord, WebhookSwitches } from './types';

/** A webhook on its way, as the outbox keeps it. */
export interface Parcel {
  make: NamedCall<WebhookDelivery>;
  record: WebhookRecord;
  retries: number;
  accepted: boolean;
  /** Real time of the attempt that is planned or under way; null when there is none. */
  due: number | null;
}

/** How many accepted deliveries are remembered. */
const ACCEPTED_KEPT = 200;

export function newParcel(
  make: Parcel['make'],
  named: Pick<WebhookRecord, 'id' | 'provider' | 'event'>,
): Parcel {
  const record = { ...named, url: '', body: Buffer.alloc(0), headers: {}, attempts: [] };
  return { make, record, retries: 0, accepted: false, due: null };
}

/** Keeps what is stored from growing without end. What was not accepted can still be tried again. */
export function forgetOldest(parcels: Parcel[]): void {
  const accepted = parcels.filter((parcel) => parcel.accepted && parcel.due === null);
  const [oldest] = accepted;
  if (oldest === undefined || accepted.length <= ACCEPTED_KEPT) return;
  parcels.splice(parcels.indexOf(oldest), 1);
}

export function noSwitches(): WebhookSwitches {
  return {
    duplicate: false,
    reorder: false,
    delayMs: 0,
    drop: false,
    tamper: false,
    wrongEnvironmentUrl: null,
  };
}
