-- Since when a payment was past due that was still missing when the subscription was cancelled: late uses are judged by it.
ALTER TABLE tollgate.subscriptions ADD COLUMN IF NOT EXISTS unpaid_since timestamptz;
