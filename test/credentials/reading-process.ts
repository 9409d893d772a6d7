import { createPlanPrices } from '../../src/plan-prices/plan-price-service';
import { rememberNamesOfConnection } from '../../src/plan-prices/remember-prices';
import { systemClock } from '../../src/clock/system-clock';
import { createProviderConnections } from '../../src/connections/connection-service';
import { openConnection } from '../../src/connections/open-connection';
import { createKeyRing } from '../../src/credentials/key-ring';
import { joinKeyRing } from '../../src/credentials/key-ring-runtime';
import { openDatabase } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createLogger } from '../../src/telemetry/logger';
import type { Actor } from '../../src/tenancy/actor';
import { createProviderAdapters } from '../../src/service/provider-adapters';
import { testKeys } from './keys';

/**
 * A process that opens and edits connections until it is asked to stop. It then prints how many it opened, how many
 * edits it made, and what failed.
 */
async function run(): Promise<void> {
  const [databaseUrl = '', workspaceId = '', keyIds = '', idList = ''] = process.argv.slice(2);
  const ids = idList.split(',');
  const log = createLogger('test', 'silent');
  const clock = systemClock;
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'test-reader', log });
  const keyRing = createKeyRing(testKeys(...keyIds.split(',')));
  const membership = await joinKeyRing({ database, keyRing, process: 'api', clock, log });
  const opening = { keyRing, providerUrls: {} };
  const providerAdapters = createProviderAdapters(() => clock.now());
  const urls = { sandbox: '', production: '' };
  const connections = createProviderConnections({
    database,
    urls,
    ...opening,
    cursorSecret: '',
    providerAdapters,
    planPrices: createPlanPrices({ database, ...opening, providerAdapters }),
    rememberNames: rememberNamesOfConnection,
  });
  const scope = { workspaceId, environment: 'sandbox' } as const;
  const result = { opened: 0, edited: 0, failures: [] as string[] };
  const stopping = new AbortController();
  process.once('SIGTERM', () => {
    stopping.abort();
  });
  process.stdout.write('ready\n');
  for (let turn = 0; !stopping.signal.aborted; turn += 1) {
    const id = ids[turn % ids.length] ?? '';
    try {
      const { access } = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        openConnection(trx, opening, scope, id),
      );
      if (access.secrets['secretKey']?.startsWith('sk_test_fake_') !== true) throw new Error('other secrets');
      result.opened += 1;
      if (turn % 7 === 0) {
        const secrets = { secretKey: `sk_test_fake_${process.pid}_${turn}` };
        await connections.update(actorOf(scope), id, { secrets });
        result.edited += 1;
      }
    } catch (error) {
      result.failures.push(String(error));
    }
  }
  await membership.leave();
  await database.destroy();
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function actorOf(scope: Actor['scope']): Actor {
  const now = systemClock.now();
  return {
    scope,
    reason: 'SYSTEM',
    operatorId: null,
    apiKeyId: null,
    ip: null,
    requestId: 'req',
    receivedAt: now,
    now,
  };
}

void run();
