import { randomInt } from 'node:crypto';
import { randomFrom } from '../../test/accountant/random';
import { RandomLife } from '../../test/accountant/random-life';
import { UnreliablePost } from '../../test/accountant/unreliable-post';
import { ProviderCheckoutBench } from '../../test/checkouts/provider-checkout-bench';
import type { Figures, Scenario } from '../scenario';
import type { PaymentProvider } from '../../src/domain/provider';

const PROVIDERS: readonly PaymentProvider[] = ['provider_a', 'provider_b', 'provider_c'];
const SEEDS_END = 1_000_000;

/**
 * Random lives at each provider, with webhooks that are duplicated, late, reordered or lost. In the end, payments,
 * refunds, payouts and their fees equal those in the simulator's own books, and the verifier finds nothing. A seed
 * reproduces a life, except where the day's calendar changes it: `ENDURANCE_ACCOUNTANT_SEED=7
 * ENDURANCE_ACCOUNTANT_LIVES=1`.
 */
export const accountant: Scenario<'lives' | 'steps' | 'seed'> = {
  name: 'accountant',
  about: 'random lives with lost, late and repeated webhooks have the money of the providers’ books',
  // For 0, a seed is drawn at random.
  fullSize: { lives: 15, steps: 25, seed: 0 },
  run: async ({ counts, log }) => {
    const first = counts.seed === 0 ? randomInt(1, SEEDS_END) : counts.seed;
    const figures: Figures = { 'first seed': first };
    const differing: string[] = [];
    for (let seed = first; seed < first + counts.lives; seed += 1) {
      for (const provider of PROVIDERS) {
        const fault = await live(provider, seed, counts.steps, figures);
        if (fault === undefined) continue;
        differing.push(`seed ${seed}, ${provider}`);
        log(`seed ${seed}, ${provider}: ${fault}`);
      }
      log(`seed ${seed}: lived`);
    }
    if (differing.length > 0) throw new Error(`Money differs: ${differing.join('; ')}`);
    return figures;
  },
};

/** @returns what was wrong with it */
async function live(
  provider: PaymentProvider,
  seed: number,
  steps: number,
  figures: Figures,
): Promise<string | undefined> {
  const bench = await ProviderCheckoutBench.start();
  const random = randomFrom(seed);
  const post = new UnreliablePost(bench.world.simulators.core, random);
  let fault: string | undefined;
  try {
    await new RandomLife(bench, provider, random, post).live(steps);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  for (const [what, count] of Object.entries(post.counted)) {
    figures[`webhooks ${what}`] = Number(figures[`webhooks ${what}`] ?? 0) + count;
  }
  try {
    // Stopping also runs the verifier.
    await bench.stop();
  } catch (error) {
    fault ??= error instanceof Error ? error.message : String(error);
  }
  return fault;
}
