import { Client } from 'pg';
import { databaseUrl } from '../support/cluster';
import { Integrator } from '../support/integrator';
import { until } from '../support/until';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** As an operator closes a database before its upgrade or its move, so that nothing writes meanwhile. */
describe('a database that accepts no connections', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let admin: Client;
  beforeAll(async () => {
    admin = new Client(databaseUrl(process.env['TOLLGATE_TEST_POSTGRES_URL'] ?? '', 'postgres'));
    await admin.connect();
  });
  afterAll(() => admin.end());

  const endSessions = async (): Promise<void> => {
    await admin.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1 AND usename LIKE 'tollgate%'",
      [usage.service.database.name],
    );
  };

  test.each([
    ['by its operator', 'ALLOW_CONNECTIONS false', 'ALLOW_CONNECTIONS true'],
    ['of the role', 'FROM PUBLIC, tollgate_app', 'TO PUBLIC'],
  ])(
    'is an outage, and the service recovers when it is opened again: closed %s',
    async (_how, close, open) => {
      const { name } = usage.service.database;
      const change = (what: string): Promise<unknown> => {
        if (what.startsWith('ALLOW')) return admin.query(`ALTER DATABASE ${name} ${what}`);
        return admin.query(
          `${what.startsWith('TO') ? 'GRANT' : 'REVOKE'} CONNECT ON DATABASE ${name} ${what}`,
        );
      };
      const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
      const api = new Integrator(usage.service.urls.sandbox, usage.workspace.sandboxKey);
      await change(close);
      await endSessions();
      const unavailable = { status: 503, body: { code: 'service_unavailable' } };
      expect(await api.check(externalId, 'ai_tokens')).toMatchObject(unavailable);
      expect(await api.send('PUT', '/v1/customers/acct_new', {})).toMatchObject(unavailable);
      await change(open);
      await until(async () => (await api.check(externalId, 'ai_tokens')).status === 200);
    },
  );
});
