import { createLogger } from '../../src/telemetry/logger';
import type { LoginRole } from '../../src/db/migrate';
import { openDatabase, type Database } from '../../src/db/pools';
import { verifyAll } from '../../src/verification/verify';
import { startApiService, type ApiService } from '../../src/server/api-service';
import { createConnectedProviders } from '../../src/connections/connected-providers';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { ClockFollower } from '../../src/sandbox-clock/simulators-clock';
import type { CommandSender } from '../../src/operations/command-sender';
import { createTestAdapters, UNANSWERED } from './adapters';
import { createTestDatabase, type TestDatabase } from './database';
import { createDirectCommands, type DirectCommands } from './direct-commands';
import type { AddressRules } from '../../src/domain/webhook-address';
import type { ResolveHost } from '../../src/webhook-endpoints/resolve-host';
import type { ProviderAdapters } from '../../src/providers/provider-adapter';

/** Real time plus an offset that the test sets, the same for production and sandbox. */
export class TestClock {
  ahead = 0;
  now(): number {
    return Date.now() + this.ahead;
  }
}

export const testSecrets = {
  apiKeyPepper: 'test-pepper-test-pepper-test-pepper',
  cursorSecret: 'test-cursor-test-cursor-test-cursor',
  credentialKeys: { keys: [{ id: 'k1', key: Buffer.alloc(32, 'test-key-one') }], activeKeyId: 'k1' },
};

export interface TestService {
  database: TestDatabase;
  clock: TestClock;
  /** Takes due steps in this process. */
  direct: DirectCommands;
  api: ApiService;
  urls: { console: string; sandbox: string; production: string };
  /** Starts another API service, as in a second process, on the same database. */
  another(): Promise<{ api: ApiService; urls: TestService['urls'] }>;
  /** Opens a pool on the database for the test itself, at most `max` connections. A stop closes it. */
  open(role: LoginRole, max: number): Database;
  /** @param planted the test itself has put differences into the database */
  stop(planted?: { differences: true }): Promise<void>;
}

export interface TestServiceOptions {
  /** `direct` runs commands in this process; a function can wrap that. Without it there is no Temporal. */
  commands?: 'direct' | ((direct: CommandSender) => CommandSender);
  /** Used instead of the real ones. */
  providerAdapters?: Partial<ProviderAdapters>;
  /** URLs used instead of the providers' own; by default nobody answers there. */
  providerUrls?: Partial<Record<'provider_a' | 'provider_b' | 'provider_c', string>>;
  /** Rules that say whether webhooks may be sent to this machine. */
  webhookRules?: AddressRules;
  resolveHost?: ResolveHost;
  /** Notified of each advance of a sandbox's clock. */
  clockFollower?: ClockFollower;
  /** Awaited by a stop before it refuses further requests. */
  drain?: () => Promise<void>;
  /** Postgres's `deadlock_timeout` of all connections of the service. */
  deadlockTimeout?: `${number}s`;
}

/** Starts the whole API on free ports with its own database. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await createTestDatabase();
  if (options.deadlockTimeout !== undefined)
    await database.query(
      `ALTER DATABASE ${database.name} SET deadlock_timeout = '${options.deadlockTimeout}'`,
    );
  const clock = new TestClock();
  const workerDatabase = openDatabase(database.url('tollgate_worker'), {
    max: 4,
    applicationName: 'tollgate-worker',
    log: createLogger('worker', 'silent'),
  });
  const adapters = { ...createTestAdapters(() => clock.now()), ...options.providerAdapters };
  const { providerUrls = UNANSWERED } = options;
  const connected = createConnectedProviders({
    database: workerDatabase,
    keyRing: createKeyRing(testSecrets.credentialKeys),
    providerUrls,
    adapters,
  });
  const direct = createDirectCommands({ database: workerDatabase, clock, connected });
  const commands = typeof options.commands === 'function' ? options.commands(direct) : direct;
  const others: ApiService[] = [];
  const opened: Database[] = [];
  const start = async (): Promise<{ api: ApiService; urls: TestService['urls'] }> => {
    const api = await startApiService({
      databaseUrl: database.url('tollgate_app'),
      databasePool: 10,
      usagePool: 4,
      webhookPool: 5,
      ...testSecrets,
      urls: {
        console: 'http://console.test',
        sandbox: 'http://sandbox.test',
        production: 'http://production.test',
      },
      listen: { host: '127.0.0.1', console: 0, sandbox: 0, production: 0 },
      trustedProxies: 0,
      lazyDocuments: true,
      ...(options.commands !== undefined && { commands }),
      providerAdapters: adapters,
      providerUrls,
      ...(options.drain !== undefined && { drain: options.drain }),
      ...(options.webhookRules !== undefined && { webhookRules: options.webhookRules }),
      // Tests never query a DNS server.
      resolveHost: options.resolveHost ?? (() => Promise.resolve([])),
      ...(options.clockFollower !== undefined && { clockFollower: options.clockFollower }),
      clock,
      log: createLogger('test', process.env['TOLLGATE_TEST_LOG'] ?? 'fatal'),
    });
    const at = (port: number): string => `http://127.0.0.1:${port}`;
    return {
      api,
      urls: {
        console: at(api.ports.console),
        sandbox: at(api.ports.sandbox),
        production: at(api.ports.production),
      },
    };
  };
  const first = await start();
  return {
    database,
    clock,
    direct,
    ...first,
    another: async () => {
      const other = await start();
      others.push(other.api);
      return other;
    },
    open: (role, max) => {
      const log = createLogger('test', 'silent');
      const pool = openDatabase(database.url(role), { max, applicationName: 'test', log });
      opened.push(pool);
      return pool;
    },
    stop: async (planted) => {
      await Promise.all(opened.map((pool) => pool.destroy()));
      await Promise.all([first.api, ...others].map((api) => api.stop()));
      await workerDatabase.destroy();
      const differences = await differencesIn(database);
      await database.drop();
      // At the end of any test the counters must equal the sums of the events.
      if (planted === undefined && differences.length > 0)
        throw new Error(`The verifier found: ${differences.join('; ')}`);
    },
  };
}

async function differencesIn(database: TestDatabase): Promise<string[]> {
  const connection = openDatabase(database.url('tollgate_app'), {
    max: 1,
    applicationName: 'tollgate-verify',
    log: createLogger('verify', 'silent'),
  });
  try {
    const differences: string[] = [];
    for await (const { examples } of verifyAll(connection)) differences.push(...examples);
    return differences;
  } finally {
    await connection.destroy();
  }
}
