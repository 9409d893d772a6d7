import { Command } from 'commander';
import { readConfig } from '../config/read-config';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { listScopes } from '../db/workspace-list-store';
import { explain } from '../server/explain';
import { createLogger } from '../telemetry/logger';
import { rebuildRollups } from '../usage-history/rebuild-rollups';
import { rollUpUsage } from '../usage-history/roll-up';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/**
 * `npm run usage:rebuild`: recomputes the sums of usage, of every workspace or of one. Use `--restored` after a dump
 * was restored into another cluster.
 */
async function run(): Promise<void> {
  warnOfUnknownSettings('usage:rebuild');
  const { workspace, restored } = new Command('usage:rebuild')
    .description('Recomputes the sums of usage of every organization, or of one.')
    .option('--workspace <id>', 'only this organization (org_…)')
    .option('--restored', 'the rows come from a dump of another cluster', false)
    .parse()
    .opts<{ workspace?: string; restored: boolean }>();
  const config = readConfig(['TOLLGATE_DATABASE_WORKER_URL', 'TOLLGATE_LOG_LEVEL']);
  const url = config.TOLLGATE_DATABASE_WORKER_URL;
  const log = createLogger('usage-rebuild', config.TOLLGATE_LOG_LEVEL);
  const database = openDatabase(url, { max: 1, applicationName: 'tollgate-usage-rebuild', log });
  try {
    await refuseTransactionPooling(url);
    await refuseWrongRole(database, 'tollgate_worker');
    const scopes = (await listScopes(database)).filter(
      ({ workspaceId }) => workspace === undefined || workspaceId === workspace,
    );
    if (workspace !== undefined && scopes.length === 0) {
      throw new Error(`There is no organization "${workspace}"; name it by its id (org_…).`);
    }
    for (const scope of scopes) {
      await rebuildRollups(database, scope, { restored });
    }
    // `maintain` may have begun to roll up between two batches; the command ends when the sums are complete.
    await rollUpUsage(database, log, { whenLocked: 'wait' });
    console.log('The sums of usage have been rebuilt.');
  } finally {
    await database.destroy();
  }
}

run().catch((error: unknown) => {
  console.error(`usage:rebuild: ${explain(error)}`);
  process.exitCode = 1;
});
