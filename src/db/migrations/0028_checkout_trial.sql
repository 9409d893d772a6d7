-- How many days of trial a checkout offers before the first charge; none where it takes an amount once. The payment
-- provider is told the same at every sending, whatever the plan says by then.
ALTER TABLE tollgate.checkouts ADD COLUMN trial_days integer NOT NULL DEFAULT 0 CHECK (trial_days BETWEEN 0 AND 730);
