import { randomBytes } from 'node:crypto';
import type { SimulatorCore } from '../core/types';
import type {
  Customer,
  Dispute,
  Domain,
  Plan,
  Refund,
  Settlement,
  Subscription,
  Transaction,
} from './records';

const CODE_BYTES = 8;
const FIRST_ID = 100_000;

export type RefundEnd = 'processed' | 'failed' | 'needs-attention';

/** One merchant's account in one mode: a secret key, a webhook address, and its objects. */
export class Account {
  readonly plans = new Map<string, Plan>();
  readonly customers = new Map<string, Customer>();
  /** By reference. */
  readonly transactions = new Map<string, Transaction>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly refunds = new Map<number, Refund>();
  readonly disputes = new Map<number, Dispute>();
  readonly settlements: Settlement[] = [];
  readonly domain: Domain;
  readonly integration: number;
  /** Final status of refunds from now on. */
  refundsEnd: RefundEnd = 'processed';
  /** Delay between a payment and the creation of its subscription. */
  subscriptionDelayMs = 0;
  /** Whether a stopped renewal can be resumed. The original refuses it for most subscriptions. */
  resumes = true;
  settlementDueAt: number | undefined;
  private lastId: number;

  constructor(
    readonly core: SimulatorCore,
    readonly secretKey: string,
    public webhookUrl: string | null,
    order: number,
  ) {
    this.domain = secretKey.startsWith('sk_live_') ? 'live' : 'test';
    this.integration = FIRST_ID + order;
    this.lastId = FIRST_ID * (order + 1);
  }

  get now(): number {
    return this.core.clock.now();
  }

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  customerOf(email: string): Customer {
    const known = this.customers.get(email);
    if (known !== undefined) return known;
    const customer: Customer = { id: this.nextId(), code: newCode('CUS'), email, authorizations: [] };
    this.customers.set(email, customer);
    return customer;
  }
}

export function newCode(prefix: 'PLN' | 'CUS' | 'SUB' | 'INV' | 'AUTH'): string {
  return `${prefix}_${newToken()}`;
}

export function newToken(): string {
  return randomBytes(CODE_BYTES).toString('hex').slice(1);
}
