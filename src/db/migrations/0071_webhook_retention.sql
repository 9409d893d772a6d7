-- Providers' webhooks that were applied or ignored are deleted after the retention: `maintain` does it, as a worker.
GRANT DELETE ON tollgate.webhook_events TO tollgate_worker;
