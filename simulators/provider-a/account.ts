import { randomBytes } from 'node:crypto';
import type { NamedCall } from '../core/named-call';
import type { SimulatorCore } from '../core/types';
import type { IdempotencyRecord } from './answer';
import type { SessionParameters } from './checkout-parameters';
import type { Stored, StoredEvent } from './stored-records';
import { missing } from './problem';
import type { Card, InvoiceLine } from './billing-records';
import type { BalanceTransaction, RefundHold } from './payment-records';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;

export function newId(prefix: string): string {
  return `${prefix}_${[...randomBytes(ID_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`;
}

/** One merchant's account in one mode: its secret key, and everything that belongs to it. */
export class Account {
  readonly id = newId('acct');
  readonly objects = new Map<string, Stored>();
  readonly events: StoredEvent[] = [];
  readonly cards = new Map<string, Card>();
  readonly idempotency = new Map<string, IdempotencyRecord>();
  /** The signing secrets of webhook endpoints, by endpoint; more than one during a rotation. */
  readonly signingSecrets = new Map<string, string[]>();
  /** Prorations for the next invoice, by subscription. */
  readonly pendingLines = new Map<string, InvoiceLine[]>();
  /** The requested parameters of each checkout session, until its customer pays. */
  readonly asked = new Map<string, SessionParameters>();
  /** The balance transactions of each payout. */
  readonly brought = new Map<string, BalanceTransaction[]>();
  /** The next scheduled call for a subscription, an invoice or a session. */
  readonly timers = new Map<string, { cancel(): void }>();
  /** The current request, for the events it causes. */
  request: StoredEvent['request'] = null;
  /** The webhook endpoint that the account was created with. */
  endpointId: string | null = null;
  /** Refunds stay pending until `settleRefund`, as with a slow bank, or for the stated reason. */
  refundsStayPending: boolean | RefundHold = false;
  /** The currency of the country in which customers open the hosted page; null if it is that of the prices. */
  localCurrency: string | null = null;
  /** Hours for which a renewal's invoice is a draft before it is charged; one at the original. */
  draftHours = 0;
  /** What becomes of a subscription whose invoice is not paid after the last attempt: a setting of the account. */
  afterRetries: 'cancel' | 'past_due' | 'unpaid' = 'cancel';
  /** Permissions that a restricted key lacks, such as `dispute_read`. */
  readonly withheld = new Set<string>();

  constructor(
    readonly core: SimulatorCore,
    readonly secretKey: string,
    readonly apiVersion: string,
  ) {}

  get livemode(): boolean {
    return this.secretKey.includes('_live_');
  }

  /** The simulators' time in whole seconds. */
  get now(): number {
    return Math.floor(this.core.clock.now() / 1000);
  }

  add<T extends Stored>(object: T): T {
    this.objects.set(object.id, object);
    return object;
  }

  /**
   * Returns an object of the account.
   *
   * @param param the parameter that names it, if it is not in the address
   * @throws Problem 404, or 400 for a parameter, when there is none, or it belongs to another account
   */
  get<K extends Stored['object']>(kind: K, id: string, param?: string): Extract<Stored, { object: K }> {
    const found = this.objects.get(id);
    if (found === undefined || !isKind(found, kind)) throw missing(kind.replace('.', ' '), id, param);
    return found;
  }

  all<K extends Stored['object']>(kind: K): Extract<Stored, { object: K }>[] {
    return [...this.objects.values()].filter((object) => isKind(object, kind));
  }

  /** Replaces the call scheduled for `id`. @param at epoch seconds */
  schedule(id: string, at: number, what: NamedCall<void>): void {
    this.unschedule(id);
    this.timers.set(id, this.core.clock.at(at * 1000, what));
  }

  unschedule(id: string): void {
    this.timers.get(id)?.cancel();
    this.timers.delete(id);
  }
}

function isKind<K extends Stored['object']>(
  object: Stored,
  kind: K,
): object is Extract<Stored, { object: K }> {
  return object.object === kind;
}
