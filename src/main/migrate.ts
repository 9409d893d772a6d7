import { systemClock } from '../clock/system-clock';
import { readConfig, readSetting, readTogether } from '../config/read-config';
import { listInvalidIndexes } from '../db/invalid-indexes-store';
import { migrate, prepareRoles, type LoginRole } from '../db/migrate';
import { makePartitions } from '../events/partitions-store';
import { DAYS_AHEAD } from '../maintenance/maintain';
import { explain } from '../server/explain';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/**
 * `npm run migrate`: creates the roles, if it is given an administrator's URL, then the schema, then the partitions for
 * the days ahead. Repeating it changes nothing.
 */
async function run(): Promise<void> {
  warnOfUnknownSettings('migrate');
  refuseArguments(
    'migrate',
    'Creates the database roles (with TOLLGATE_DATABASE_ADMIN_URL), the schema, and the partitions for the days ahead. It can be repeated.',
  );
  const { config, admin } = readTogether({
    config: () => readConfig(['TOLLGATE_DATABASE_MIGRATOR_URL']),
    admin: readAdmin,
  });
  const { TOLLGATE_DATABASE_MIGRATOR_URL: migratorUrl } = config;
  if (admin !== undefined) {
    await prepareRoles(admin.url, admin.passwords, logRetry);
    console.log('The database roles exist.');
  }
  const ran = await migrate(migratorUrl, logRetry);
  console.log(ran.length === 0 ? 'The schema is current.' : `Migrated: ${namesOf(ran)}.`);
  for (const name of await listInvalidIndexes(migratorUrl)) {
    console.log(
      `No query uses the index ${name}: its build was interrupted, or is still running. If it was interrupted, drop the index and build it again.`,
    );
  }
  const { made, blocked } = await makePartitions(migratorUrl, {
    from: systemClock.now(),
    days: DAYS_AHEAD,
    onWait: () => {
      console.log(
        'Another process, such as maintain, changes the partitions of the events. Waiting until it has ended.',
      );
    },
  });
  if (blocked.length === 0) {
    console.log(`Developer events have partitions for ${DAYS_AHEAD} days (${made} new).`);
  } else {
    console.log(
      `The default partition of developer_events holds events, so ${blocked.join(', ')} have no partitions. npm run maintain creates those that are more than a day ahead.`,
    );
  }
}

/** Returns the names of all migrations, or the first, the last and their number if there are too many to read. */
function namesOf(ran: readonly string[]): string {
  return ran.length <= 10 ? ran.join(', ') : `${ran[0]} to ${ran.at(-1)}, ${ran.length} in all`;
}

/** @param reason why: the service or another migration holds a lock */
function logRetry(reason: string): void {
  console.log(`The migration waits, and is tried again: ${reason}`);
}

/** Returns the administrator's URL and the passwords of the roles; undefined if it is not set. */
function readAdmin(): { url: string; passwords: Partial<Record<LoginRole, string>> } | undefined {
  const url = readSetting('TOLLGATE_DATABASE_ADMIN_URL');
  return url === undefined ? undefined : { url, passwords: passwordsOf() };
}

/** Returns the passwords that the addresses of the processes contain. */
function passwordsOf(): Partial<Record<LoginRole, string>> {
  const addresses = readTogether<Record<LoginRole, string | undefined>>({
    tollgate_migrator: () => readSetting('TOLLGATE_DATABASE_MIGRATOR_URL'),
    tollgate_app: () => readSetting('TOLLGATE_DATABASE_URL'),
    tollgate_worker: () => readSetting('TOLLGATE_DATABASE_WORKER_URL'),
    tollgate_relay: () => readSetting('TOLLGATE_DATABASE_RELAY_URL'),
    tollgate_deliverer: () => readSetting('TOLLGATE_DATABASE_DELIVERER_URL'),
  });
  const passwords: Partial<Record<LoginRole, string>> = {};
  for (const [role, address] of Object.entries(addresses) as [LoginRole, string | undefined][]) {
    if (address === undefined) continue;
    // Accepts a URL without a host, like the driver.
    const { username, password } = new URL(address.replace('@/', '@host/'));
    // A URL with another user's password says nothing about this role's.
    if (decoded(username) === role && password !== '') passwords[role] = decoded(password);
  }
  return passwords;
}

/** Decodes a part of a URL as the driver does: a percent sign that encodes nothing is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeURIComponent(encodeURI(text).replace(/%25(\d\d)/g, '%$1'));
  }
}

run().catch((error: unknown) => {
  console.error(`migrate: ${explain(error)}`);
  process.exitCode = 1;
});
