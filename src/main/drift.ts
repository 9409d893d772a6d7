import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { systemClock } from '../clock/system-clock';
import { readConfig, readTogether } from '../config/read-config';
import { readCredentialKeys } from '../config/credential-keys';
import { readProviderUrls } from '../config/provider-urls';
import { readTemporalEndpoint } from '../config/temporal-endpoint';
import { createKeyRing } from '../credentials/key-ring';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { inWorkspace } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { isTollgateError } from '../domain/errors';
import { connectionsToCompare } from '../drift/connections-to-compare';
import { driftInWords, planPricesInWords, repairInWords } from '../drift/drift-lines';
import { createSubscriptionDrift, type SubscriptionDrift } from '../drift/subscription-drift';
import { fingerprintOf } from '../idempotency/idempotency-key';
import { newIdentifier } from '../identifiers/identifier';
import { unavailableCommandSender } from '../operations/command-sender';
import { explain } from '../server/explain';
import { operationHandlers } from '../service/operation-handlers';
import { createOperations } from '../subscriptions/commands/operation-service';
import { createPlanPrices } from '../plan-prices/plan-price-service';
import { createProviderAdapters } from '../service/provider-adapters';
import { createLogger } from '../telemetry/logger';
import { createTemporalClient } from '../temporal/client';
import { createCommandSender } from '../temporal/command-sender';
import { createActorFactory } from '../clock/actors';
import type { Actor } from '../tenancy/actor';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

interface Options {
  organization: string;
  env: Environment;
  connection?: string;
  repair?: 'provider';
}

/** `npm run drift -- …`: exits 1 if anything differs, or could not be compared. */
const program = new Command('drift')
  .description(
    'Compares the open subscriptions of provider connections, and the prices of their plans, with the state at their providers.',
  )
  .requiredOption('--organization <id>', 'the organization of the connections (org_…)')
  .addOption(
    new Option('--env <environment>', 'the environment of the connections')
      .choices(['sandbox', 'production'])
      .makeOptionMandatory(),
  )
  .option('--connection <id>', 'one connection (conn_…); default: all that are not disabled')
  .addOption(
    new Option(
      '--repair <take>',
      'where something differs, use the provider’s state; needs TEMPORAL_ADDRESS',
    ).choices(['provider']),
  );

async function run(): Promise<void> {
  warnOfUnknownSettings('drift');
  const options = program.parse().opts<Options>();
  const { config, temporal, credentialKeys, providerUrls } = readTogether({
    config: () => readConfig(['TOLLGATE_DATABASE_URL']),
    temporal: () => readTemporalEndpoint(),
    credentialKeys: () => readCredentialKeys(),
    providerUrls: () => readProviderUrls(),
  });
  const client = temporal && createTemporalClient(temporal);
  const clock = systemClock;
  const commands = client === undefined ? unavailableCommandSender : createCommandSender(client, clock);
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
    max: 6,
    applicationName: 'tollgate-drift',
    log: createLogger('drift', 'error'),
  });
  try {
    await refuseWrongRole(database, 'tollgate_app');
    const providers = {
      database,
      clock,
      keyRing: createKeyRing(credentialKeys),
      providerUrls,
      providerAdapters: createProviderAdapters(() => clock.now()),
    };
    const planPrices = createPlanPrices(providers);
    const subscriptionDrift = createSubscriptionDrift({
      ...providers,
      // Cursors are valid only within this process.
      cursorSecret: randomUUID(),
      operations: createOperations({ database, clock, handlers: operationHandlers, commands }),
    });
    const scope = { workspaceId: options.organization, environment: options.env };
    const actorNow = (): Promise<Actor> =>
      createActorFactory(
        database,
        clock,
      )({
        scope,
        reason: 'SYSTEM',
        operatorId: null,
        apiKeyId: null,
        ip: null,
        requestId: newIdentifier('request'),
      });
    const connections = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      connectionsToCompare(trx, scope, options.connection),
    );
    if (connections.length === 0) console.log('There is no connection to compare.');
    let left = 0;
    for (const { id, provider } of connections) {
      const asker = { scope, reason: 'SYSTEM', receivedAt: clock.now() } as const;
      const prices = await planPrices.ofConnection(asker, id);
      for (const line of planPricesInWords(prices)) console.log(line);
      left += prices.filter(({ result }) => result === 'differs').length;
      const { compared, differing } = await compareConnection(
        subscriptionDrift,
        actorNow,
        id,
        options.repair,
      );
      console.log(`${id} ${provider}: ${compared} subscriptions, ${differing} differ or were not compared`);
      left += differing;
    }
    if (left > 0) process.exitCode = 1;
  } finally {
    await database.destroy();
    await client?.connection.close();
  }
}

async function compareConnection(
  subscriptionDrift: SubscriptionDrift,
  actorNow: () => Promise<Actor>,
  connectionId: string,
  take: Options['repair'],
): Promise<{ compared: number; differing: number }> {
  const counts = { compared: 0, differing: 0 };
  let cursor: string | undefined;
  do {
    const page = await subscriptionDrift.list(await actorNow(), connectionId, { take: 200, cursor });
    for (const drift of page.data) {
      counts.compared += 1;
      for (const line of driftInWords(drift)) console.log(line);
      if (drift.inSync === true) continue;
      const repaired =
        take !== undefined &&
        drift.inSync === false &&
        (await repair(subscriptionDrift, await actorNow(), drift.subscriptionId, take));
      if (!repaired) counts.differing += 1;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return counts;
}

/** @returns whether nothing differs any longer */
async function repair(
  subscriptionDrift: SubscriptionDrift,
  actor: Actor,
  id: string,
  take: NonNullable<Options['repair']>,
): Promise<boolean> {
  const input = { take, endMissing: false };
  const claim = { key: randomUUID(), fingerprint: fingerprintOf('run', 'drift', { id }, undefined, input) };
  try {
    const { line, inSync } = repairInWords(await subscriptionDrift.repair(actor, id, input, claim));
    console.log(line);
    return inSync;
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    console.log(`  not repaired: ${error.detail}`);
    return false;
  }
}

run().catch((error: unknown) => {
  console.error(`drift: ${explain(error)}`);
  process.exitCode = 1;
});
