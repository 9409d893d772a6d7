import type { Scenario } from '../scenario';
import { accountant } from './accountant';
import { commandsDuringOutages } from './commands-during-outages';
import { deployment } from './deployment';
import { fuzz } from './fuzz';
import { kills } from './kills';
import { moneyDuringOutages } from './money-during-outages';
import { rollingRestart } from './rolling-restart';
import { sandboxBesideProduction } from './sandbox-beside-production';
import { usageKills } from './usage-kills';
import { webhookKills } from './webhook-kills';
import { webhooksUnderFlood } from './webhooks-under-flood';

/** Every scenario of `npm run endurance`, in this order. */
export const scenarios: readonly Scenario[] = [
  commandsDuringOutages,
  kills,
  usageKills,
  webhookKills,
  deployment,
  moneyDuringOutages,
  rollingRestart,
  sandboxBesideProduction,
  webhooksUnderFlood,
  fuzz,
  accountant,
];
