/** Workflows, and activities that need nothing but Postgres. */
export const BILLING_QUEUE = 'billing';
