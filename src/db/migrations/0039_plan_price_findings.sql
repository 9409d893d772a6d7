-- The plans whose price at this connection was last found to differ from the plan's own, by the plan's id: so that each
-- difference, and its end, is told once. NULL and {} are none.
ALTER TABLE tollgate.provider_connections ADD COLUMN plan_price_findings jsonb;
