import { runScenario } from '../../endurance/run-scenario';
import { usageKills } from '../../endurance/scenarios/usage-kills';

test('five kills under tracks, batches, reservations and reversals', async () => {
  const figures = await runScenario(usageKills, { kills: 5, customers: 3, atOnce: 8 });
  expect(figures['kills']).toBe(5);
  expect(figures['uses, each counted once']).toBeGreaterThan(0);
  expect(figures['taken back']).toBeGreaterThan(0);
  expect(figures['reserved']).toBeGreaterThan(0);
});
