import { runScenario } from '../../endurance/run-scenario';
import { commandsDuringOutages } from '../../endurance/scenarios/commands-during-outages';

test('commands during outages, for a moment', async () => {
  await runScenario(commandsDuringOutages, { sent: 24, subscriptions: 4, atOnce: 4 });
});
