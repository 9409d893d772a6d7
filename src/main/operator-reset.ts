import { Command } from 'commander';
import { z } from 'zod';
import { resetOperator } from '../account-security/reset-operator';
import { systemClock } from '../clock/system-clock';
import { readConfig } from '../config/read-config';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { emailAddress } from '../schemas/text';
import { createLogger } from '../telemetry/logger';
import { explainOptions } from './explain-options';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** `npm run operator:reset`: restores access to an account that no owner can reset. */
const program = new Command('operator:reset')
  .description(
    'Removes the second factor and the recovery codes of an operator, and ends their sessions. The password is kept ' +
      'unless --new-password is given: it is then read from TOLLGATE_OPERATOR_PASSWORD; without it one is generated and shown once.',
  )
  .requiredOption('--email <address>', 'the address that the operator logs in with')
  .option('--new-password', 'also set a new password', false);

const optionsSchema = z.object({ email: emailAddress, newPassword: z.boolean() });

async function run(): Promise<void> {
  warnOfUnknownSettings('operator:reset');
  const { email, newPassword } = optionsSchema.parse(program.parse().opts());
  const config = readConfig(['TOLLGATE_DATABASE_URL', 'TOLLGATE_OPERATOR_PASSWORD']);
  const chosen = config.TOLLGATE_OPERATOR_PASSWORD;
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
    max: 1,
    applicationName: 'tollgate-operator-reset',
    log: createLogger('operator-reset', 'error'),
  });
  try {
    await refuseWrongRole(database, 'tollgate_app');
    const password = !newPassword ? 'keep' : chosen === undefined ? 'generate' : { chosen };
    const reset = await resetOperator(database, { email, password, now: systemClock.now() });
    console.log(`Operator       ${reset.operatorId}  ${email}`);
    console.log(`Second factor  ${reset.secondFactorRemoved ? 'removed' : 'there was none'}`);
    console.log(`Sessions       ${reset.sessionsEnded} ended`);
    if (reset.generatedPassword !== null) {
      console.log(
        `Password       ${reset.generatedPassword}  (shown this once; change it after the first log-in)`,
      );
    }
  } finally {
    await database.destroy();
  }
}

run().catch((error: unknown) => {
  console.error(`operator:reset: ${explainOptions(error)}`);
  process.exitCode = 1;
});
