import type { Scenario } from '../scenario';
import { commandsDuringOutages } from './commands-during-outages';

/** Everything that `npm run endurance` runs, in this order. */
export const scenarios: readonly Scenario[] = [commandsDuringOutages];
