import type { Scenario } from '../scenario';
import { commandsDuringOutages } from './commands-during-outages';
import { rollingRestart } from './rolling-restart';

/** Everything that `npm run endurance` runs, in this order. */
export const scenarios: readonly Scenario[] = [commandsDuringOutages, rollingRestart];
