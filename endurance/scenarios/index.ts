import type { Scenario } from '../scenario';
import { commandsDuringOutages } from './commands-during-outages';
import { fuzz } from './fuzz';
import { rollingRestart } from './rolling-restart';
import { sandboxBesideProduction } from './sandbox-beside-production';
import { webhooksUnderFlood } from './webhooks-under-flood';

/** Everything that `npm run endurance` runs, in this order. */
export const scenarios: readonly Scenario[] = [
  commandsDuringOutages,
  rollingRestart,
  sandboxBesideProduction,
  webhooksUnderFlood,
  fuzz,
];
