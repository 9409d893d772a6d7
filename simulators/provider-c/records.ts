/** Records of the simulator. Instants are epoch milliseconds of its clock; amounts are hundredths. */

export type Interval = 'hourly' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'biannually' | 'annually';
export type Domain = 'test' | 'live';

export interface Plan {
  id: number;
  code: string;
  name: string;
  description: string | null;
  amount: number;
  currency: string;
  interval: Interval;
  /** Number of charges after which its subscriptions are complete; 0 or absent for no limit. */
  invoiceLimit?: number;
  createdAt: number;
}

export interface Authorization {
  code: string;
  last4: string;
  /** Charges without the customer are declined from now on. */
  declines: boolean;
  /** The bank takes its time to answer them (`settleCharges`). */
  isSlow?: boolean;
}

export interface Customer {
  id: number;
  code: string;
  email: string;
  authorizations: Authorization[];
}

export interface Transaction {
  id: number;
  reference: string;
  accessCode: string;
  amount: number;
  currency: string;
  status: 'abandoned' | 'failed' | 'pending' | 'success' | 'reversed';
  gatewayResponse: string;
  callbackUrl: string | null;
  /** As sent: an object, text, or undefined. */
  metadata: unknown;
  plan: Plan | null;
  invoiceLimit: number;
  customer: Customer;
  authorization: Authorization | null;
  fees: number;
  createdAt: number;
  paidAt: number | null;
  isSettled: boolean;
}

export interface Invoice {
  id: number;
  code: string;
  amount: number;
  status: 'pending' | 'success' | 'failed';
  periodStart: number;
  periodEnd: number;
  paidAt: number | null;
  transaction: Transaction | null;
  createdAt: number;
}

export interface Subscription {
  id: number;
  code: string;
  emailToken: string;
  status: 'active' | 'non-renewing' | 'attention' | 'completed' | 'cancelled';
  plan: Plan;
  customer: Customer;
  authorization: Authorization;
  /** The next charge, or the end if it does not renew. */
  boundary: number;
  /** 0: no limit. */
  invoiceLimit: number;
  charges: number;
  openInvoice: Invoice | null;
  lastInvoice: Invoice | null;
  createdAt: number;
  /** When its renewal was stopped. */
  cancelledAt?: number;
}

export interface Refund {
  id: number;
  transaction: Transaction;
  amount: number;
  status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention';
  /** The bank's reference, once it has accepted the refund. */
  bankReference: string | null;
  customerNote: string;
  merchantNote: string;
  isDeducted: boolean;
  /** The settlement that bore it. */
  settlementId?: number;
  createdAt: number;
  updatedAt: number;
}

export interface Settlement {
  id: number;
  currency: string;
  transactions: Transaction[];
  processed: number;
  fees: number;
  deductions: number;
  settledAt: number;
}

export interface Dispute {
  id: number;
  transaction: Transaction;
  /** Null while it is open. */
  resolution: 'merchant-accepted' | 'declined' | null;
  refundAmount: number;
  createdAt: number;
  resolvedAt: number | null;
}
