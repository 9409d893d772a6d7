/** `pending` and `failed` come from payment providers; a payment recorded by an operator has succeeded. */
export const PAYMENT_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
