import { Command } from 'commander';
import { z } from 'zod';
import { systemClock } from '../clock/system-clock';
import { readConfig } from '../config/read-config';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { createOperatorWithOrganization } from '../organizations/create-operator';
import { displayName, emailAddress } from '../schemas/text';
import { createLogger } from '../telemetry/logger';
import { explainOptions } from './explain-options';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** `npm run operator:create`: creates the first operator and organization of a deployment. */
const program = new Command('operator:create')
  .description(
    'Creates an operator and an organization that the operator owns. The password is read from ' +
      'TOLLGATE_OPERATOR_PASSWORD; without it one is generated and shown once.',
  )
  .requiredOption('--email <address>', 'the address that the operator logs in with')
  .requiredOption('--name <name>', "the operator's name")
  .requiredOption('--organization <name>', "the organization's name")
  .option(
    '--platform-administrator',
    'may also create organizations and administer the whole installation',
    false,
  );

const optionsSchema = z.object({
  email: emailAddress,
  name: displayName,
  organization: displayName,
  platformAdministrator: z.boolean(),
});

async function run(): Promise<void> {
  warnOfUnknownSettings('operator:create');
  const options = optionsSchema.parse(program.parse().opts());
  const config = readConfig(['TOLLGATE_DATABASE_URL', 'TOLLGATE_OPERATOR_PASSWORD']);
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
    max: 1,
    applicationName: 'tollgate-operator-create',
    log: createLogger('operator-create', 'error'),
  });
  try {
    await refuseWrongRole(database, 'tollgate_app');
    const made = await createOperatorWithOrganization(database, {
      ...options,
      isPlatformAdministrator: options.platformAdministrator,
      password: config.TOLLGATE_OPERATOR_PASSWORD,
      now: systemClock.now(),
    });
    console.log(
      `Operator      ${made.operatorId}  ${options.email}${options.platformAdministrator ? '  (platform administrator)' : ''}`,
    );
    console.log(`Organization  ${made.organizationId}  ${options.organization}  (${made.organizationSlug})`);
    if (made.generatedPassword !== null) {
      console.log(
        `Password      ${made.generatedPassword}  (shown this once; change it after the first log-in)`,
      );
    }
  } finally {
    await database.destroy();
  }
}

run().catch((error: unknown) => {
  console.error(`operator:create: ${explainOptions(error)}`);
  process.exitCode = 1;
});
