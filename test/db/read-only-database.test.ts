import { Integrator } from '../support/integrator';
import { until } from '../support/until';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Read-only mode, as set by an operator or a host for a database whose disk is full. */
describe('a database that takes no writes', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    const { database } = usage.service;
    await database.query('BEGIN READ WRITE');
    await database.query(
      `ALTER DATABASE ${database.name} ${isReadOnly ? 'SET' : 'RESET'} default_transaction_read_only${isReadOnly ? ' = on' : ''}`,
    );
    await database.query('COMMIT');
    // Begins the sessions that a service opens meanwhile. Whoever resets it later ends none of them.
    if (!isReadOnly) return;
    await database.query(
      'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [database.name],
    );
  };

  test('answers reads, has writes sent again, and recovers when Postgres accepts writes again', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const api = new Integrator(usage.service.urls.sandbox, usage.workspace.sandboxKey);
    const unavailable = {
      status: 503,
      body: { code: 'service_unavailable', fix: expect.any(String) as unknown },
    };
    const retried = '11111111-1111-4111-8111-111111111111';
    await setReadOnly(true);
    // A check fails too, because it is written to the history.
    expect(await api.check(externalId, 'ai_tokens')).toMatchObject(unavailable);
    expect(await api.track(externalId, 'ai_tokens', 4, retried)).toMatchObject(unavailable);
    expect(await api.send('PUT', '/v1/customers/acct_new', {})).toMatchObject(unavailable);
    expect(await api.send('GET', `/v1/customers/${externalId}`)).toMatchObject({ status: 200 });
    await setReadOnly(false);
    const send = {
      track: () => api.track(externalId, 'ai_tokens', 4, retried),
      put: () => api.send('PUT', '/v1/customers/acct_new', {}),
    };
    await until(async () => (await send.track()).status === 200);
    await until(async () => (await send.put()).status === 201);
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(4);
  });
});
