-- A refund, or what a dispute took, may come back after a settlement has counted it: the one with which it came back
-- counts it too, the other way round, so that its refunds may come to less than nothing.
ALTER TABLE tollgate.refunds
  ADD COLUMN returned_settlement_id text COLLATE "C",
  ADD CONSTRAINT refunds_returned_settlement_fkey FOREIGN KEY (workspace_id, environment, returned_settlement_id)
    REFERENCES tollgate.settlements (workspace_id, environment, id);
CREATE INDEX refunds_returned_settlement ON tollgate.refunds (workspace_id, environment, returned_settlement_id)
  WHERE returned_settlement_id IS NOT NULL;
ALTER TABLE tollgate.settlements
  DROP CONSTRAINT settlements_refunded_check,
  ADD CONSTRAINT settlements_refunded_check CHECK (refunded >= 0 OR provider <> 'internal');
