import { runScenario } from '../../endurance/run-scenario';
import { webhookKills } from '../../endurance/scenarios/webhook-kills';

test('six kills under webhooks lose none', async () => {
  const figures = await runScenario(webhookKills, { kills: 6, atOnce: 4 });
  expect(figures).toMatchObject({ kills: 6, lost: 0 });
  expect(figures['messages']).toBeGreaterThan(0);
});
