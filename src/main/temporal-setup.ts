import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../clock/system-clock';
import { requireTemporalEndpoint } from '../config/temporal-endpoint';
import { explain } from '../server/explain';
import { createTemporalClient } from '../temporal/client';
import { setUpTemporal } from '../temporal/setup';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** Label of each state in the output. */
const WORDS = { there: 'there', made: 'made', missing: 'MISSING' } as const;

/** `npm run temporal:setup`: exits 1 if anything is missing that these credentials may not create. */
async function run(): Promise<void> {
  warnOfUnknownSettings('temporal:setup');
  const { retentionDays } = new Command('temporal:setup')
    .description('Creates the namespace, the search attributes and the schedules that the service needs.')
    .option('--retention-days <days>', 'how long a new namespace keeps closed workflows', wholeDays, 7)
    .parse()
    .opts<{ retentionDays: number }>();
  const endpoint = requireTemporalEndpoint();
  const client = createTemporalClient(endpoint);
  try {
    for await (const { what, state, fix } of setUpTemporal(client, systemClock, retentionDays)) {
      console.log(`${WORDS[state].padEnd(7)} ${what}`);
      if (fix !== undefined) console.log(`        ${fix}`);
      if (state === 'missing') process.exitCode = 1;
    }
  } finally {
    await client.connection.close();
  }
}

function wholeDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Give a number of days, 1 to 9999.');
  return Number(text);
}

run().catch((error: unknown) => {
  console.error(`temporal:setup: ${explain(error)}`);
  process.exitCode = 1;
});
