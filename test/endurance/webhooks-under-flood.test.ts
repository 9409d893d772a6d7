import { runScenario } from '../../endurance/run-scenario';
import { webhooksUnderFlood } from '../../endurance/scenarios/webhooks-under-flood';

test('webhooks under a flood, for a moment', async () => {
  await runScenario(webhooksUnderFlood, { forgedASecond: 200, seconds: 1, signed: 20 });
});
