import type { Account } from './account';
import type { Authorization, Customer, Dispute, Plan, Refund, Settlement, Transaction } from './records';

/** Rendering of API responses; the types are the original's, including odd ones. */

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

export function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : iso(instant);
}

export function planView(plan: Plan): Record<string, unknown> {
  return {
    id: plan.id,
    name: plan.name,
    plan_code: plan.code,
    description: plan.description,
    amount: plan.amount,
    interval: plan.interval,
    send_invoices: true,
    send_sms: true,
    invoice_limit: plan.invoiceLimit ?? 0,
    currency: plan.currency,
  };
}

export function planAnswer(account: Account, plan: Plan): Record<string, unknown> {
  return {
    ...planView(plan),
    domain: account.domain,
    integration: account.integration,
    createdAt: iso(plan.createdAt),
    updatedAt: iso(plan.createdAt),
  };
}

export function customerView(customer: Customer): Record<string, unknown> {
  return {
    id: customer.id,
    first_name: null,
    last_name: null,
    email: customer.email,
    customer_code: customer.code,
    phone: null,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  };
}

export function authorizationView(authorization: Authorization): Record<string, unknown> {
  return {
    authorization_code: authorization.code,
    bin: '408408',
    last4: authorization.last4,
    exp_month: '12',
    exp_year: '2099',
    channel: 'card',
    card_type: 'visa ',
    bank: 'TEST BANK',
    country_code: 'NG',
    brand: 'visa',
    reusable: true,
    signature: `SIG_${authorization.code.slice('AUTH_'.length)}`,
    account_name: null,
  };
}

export function transactionAnswer(account: Account, transaction: Transaction): Record<string, unknown> {
  const { authorization, plan } = transaction;
  return {
    id: transaction.id,
    domain: account.domain,
    status: transaction.status,
    reference: transaction.reference,
    receipt_number: null,
    amount: transaction.amount,
    message: null,
    gateway_response: transaction.gatewayResponse,
    paid_at: isoOrNull(transaction.paidAt),
    created_at: iso(transaction.createdAt),
    channel: 'card',
    currency: transaction.currency,
    ip_address: null,
    metadata: transaction.metadata ?? '',
    log: null,
    fees: transaction.paidAt === null ? null : transaction.fees,
    fees_split: null,
    authorization: authorization === null ? {} : authorizationView(authorization),
    customer: customerView(transaction.customer),
    plan: plan?.code ?? null,
    split: {},
    order_id: null,
    paidAt: isoOrNull(transaction.paidAt),
    createdAt: iso(transaction.createdAt),
    requested_amount: transaction.amount,
    transaction_date: iso(transaction.createdAt),
    plan_object: plan === null ? {} : planView(plan),
    subaccount: {},
  };
}

/** Renders a refund with its transaction's number; only the response to its creation has the transaction itself. */
export function refundAnswer(account: Account, refund: Refund): Record<string, unknown> {
  const isProcessed = refund.status === 'processed';
  return {
    integration: account.integration,
    transaction: refund.transaction.id,
    dispute: null,
    settlement: refund.settlementId ?? null,
    id: refund.id,
    domain: account.domain,
    currency: refund.transaction.currency,
    amount: refund.amount,
    status: refund.status,
    refunded_at: isProcessed ? iso(refund.updatedAt) : null,
    refunded_by: 'merchant@example.com',
    customer_note: refund.customerNote,
    merchant_note: refund.merchantNote,
    deducted_amount: isProcessed ? refund.amount : 0,
    fully_deducted: isProcessed ? 1 : 0,
    createdAt: iso(refund.createdAt),
    updatedAt: iso(refund.updatedAt),
  };
}

export function settlementAnswer(account: Account, settlement: Settlement): Record<string, unknown> {
  const { processed, fees, deductions } = settlement;
  return {
    id: settlement.id,
    domain: account.domain,
    status: 'success',
    currency: settlement.currency,
    integration: account.integration,
    total_amount: processed - fees - deductions,
    effective_amount: processed - fees - deductions,
    total_fees: fees,
    total_processed: processed,
    deductions: deductions === 0 ? null : deductions,
    settlement_date: iso(settlement.settledAt),
    settled_by: null,
    createdAt: iso(settlement.settledAt),
    updatedAt: iso(settlement.settledAt),
  };
}

export function disputeAnswer(account: Account, dispute: Dispute): Record<string, unknown> {
  const { transaction, resolution } = dispute;
  return {
    id: dispute.id,
    refund_amount: dispute.resolution === 'merchant-accepted' ? dispute.refundAmount : null,
    currency: transaction.currency,
    status: resolution === null ? 'awaiting-merchant-feedback' : 'resolved',
    resolution,
    domain: account.domain,
    transaction: {
      id: transaction.id,
      domain: account.domain,
      status: transaction.status,
      reference: transaction.reference,
      amount: transaction.amount,
      currency: transaction.currency,
    },
    transaction_reference: null,
    category: 'chargeback',
    customer: customerView(transaction.customer),
    resolvedAt: isoOrNull(dispute.resolvedAt),
    createdAt: iso(dispute.createdAt),
    updatedAt: iso(dispute.resolvedAt ?? dispute.createdAt),
  };
}
