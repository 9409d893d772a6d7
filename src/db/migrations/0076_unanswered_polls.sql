-- When the provider first failed to answer a poll of the checkout, in the workspace's time; null once it answers. A
-- checkout ends without an answer only after days of silence, however late the first poll after its deadline was.
ALTER TABLE tollgate.checkouts ADD COLUMN unanswered_since timestamptz;
