-- Whether a log-in that waits for its code was begun from a device that had logged in to the account before. Each kind
-- has a limit of its own, so that strangers who have the password do not end those of known devices.
ALTER TABLE tollgate.operator_login_challenges
  ADD COLUMN from_known_device boolean NOT NULL DEFAULT false;
