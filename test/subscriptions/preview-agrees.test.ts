import fc from 'fast-check';
import { cases } from '../domain/property';
import type { Shown, WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** At every provider, a preview agrees with the answer and the result of the change. */
const { world } = useProviderRow();
beforeAll(async () => {
  await addFlatPlans();
});
const FLAT = { provider_a: 'price_basic', provider_b: 'P-BASIC', provider_c: 'PLN_basic' } as const;

/** Adds two flat plans of 20 USD to the world's group; both have the same reference at each provider. */
async function addFlatPlans(): Promise<void> {
  const within = { plan_group_id: world.plans.pro.planGroupId, price_amount: 2000, pricing: 'flat' } as const;
  await world.seed.plan('basic', [], within);
  await world.seed.plan('basic-twin', [], within);
  const { a, b, c } = world.simulators.providers;
  const { provider_a, provider_b, provider_c } = world.secrets;
  const price = { unitAmount: 2000, currency: 'usd', interval: 'month' } as const;
  a.account({ secretKey: provider_a['secretKey'] ?? '' }).price({ id: FLAT.provider_a, ...price });
  b.account({
    clientId: provider_b['clientId'] ?? '',
    clientSecret: provider_b['clientSecret'] ?? '',
    plans: [{ id: FLAT.provider_b, name: 'basic', price: { value: '20.00', currency_code: 'USD' } }],
  });
  c.account({
    secretKey: provider_c['secretKey'] ?? '',
    plans: [{ code: FLAT.provider_c, name: 'basic', amount: 2000, currency: 'USD', interval: 'monthly' }],
  });
  for (const [provider, reference] of Object.entries(FLAT)) {
    const path = `/api/provider-connections/${world.connections[provider as PaymentProvider]}`;
    const { body } = await world.operator.get(path);
    const { planReferences } = body['settings'] as { planReferences: Record<string, string> };
    const named = { ...planReferences, basic: reference, 'basic-twin': reference };
    await world.operator.patch(path, { body: { settings: { planReferences: named } } });
  }
}

/** A change that is previewed and made, or the customer's approval or our withdrawal of a pending one. */
type Step = { planSlug?: string; seats?: number } | 'approve' | 'withdraw';

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ planSlug: fc.constantFrom('starter', 'pro', 'basic', 'basic-twin') }),
    },
    { weight: 3, arbitrary: fc.record({ seats: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        planSlug: fc.constantFrom('pro', 'basic'),
        seats: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.constant('approve' as const) },
    { weight: 1, arbitrary: fc.constant('withdraw' as const) },
  ),
  { minLength: 12, maxLength: 12 },
);

/** Returns the most important sequences, then random ones. */
function sequences(): Step[][] {
  const { seed } = cases(1);
  return [
    [{ seats: 4 }, { seats: 2 }, 'withdraw', { planSlug: 'basic-twin' }, { planSlug: 'basic' }],
    [{ planSlug: 'pro' }, { seats: 4 }, 'approve', { planSlug: 'basic', seats: 3 }, 'approve', { seats: 1 }],
    ...fc.sample(steps, { seed, numRuns: 1 }),
  ];
}

const STARTS = (['provider_a', 'provider_b', 'provider_c'] as const).flatMap((provider) =>
  (['pro', 'basic'] as const).map((plan) => [provider, plan] as const),
);

test.each(STARTS)('a preview at %s, on %s, agrees with its change', async (provider, plan) => {
  // Provider C supports no changes, so the order does not matter.
  const tried = provider === 'provider_c' ? sequences().slice(0, 1) : sequences();
  for (const sequence of tried) {
    const seats = provider === 'provider_c' ? 1 : 2;
    const subscription = await world.subscribe(provider, { plan, seats });
    for (const [place, step] of sequence.entries()) {
      const label = `step ${place} of ${JSON.stringify(sequence)}`;
      await take(subscription, step, label);
    }
  }
});

async function take(subscription: WorldSubscription, step: Step, label: string): Promise<void> {
  const { id, provider } = subscription;
  if (step === 'withdraw') {
    await world.withdraw(id);
    return;
  }
  const before = await world.show(id);
  if (step === 'approve') {
    const page = before.pendingApproval?.approvalUrl;
    if (typeof page === 'string') await world.pay(provider, page);
    await world.settle();
    return;
  }
  const preview = await world.operator.post(`/api/billing/subscriptions/${id}/change`, {
    body: step,
    query: { dryRun: 'true' },
  });
  const change = await world.command(id, 'change', step);
  expect([label, change.status, change.body['code']]).toEqual([label, preview.status, preview.body['code']]);
  if (preview.status !== 200) return;
  const after = await world.show(id);
  expect({ label, ...promised(preview.body, before) }).toEqual({ label, ...kept(change.body, after) });
}

interface Terms {
  plan: { slug: string };
  seats: number;
}

const termsOf = ({ plan, seats }: Terms) => `${plan.slug} × ${seats}`;

/** Summarizes what the preview says of the change. */
function promised(preview: Record<string, unknown>, before: Shown) {
  const { effective, requiresCustomerAction, withdraws, effectiveAt } = preview;
  const to = preview['to'] as Terms;
  // A change back to the billed terms leaves nothing pending.
  const back = termsOf(to) === termsOf(before) && effective === 'next_renewal';
  return {
    effective,
    requiresCustomerAction,
    effectiveAt: effective === 'immediate' ? 'now' : effectiveAt,
    withdraws: withdraws === null ? null : termsOf(withdraws as Terms),
    to: back ? null : termsOf(to),
  };
}

/** Summarizes the result of the change. */
function kept(change: Record<string, unknown>, after: Shown) {
  const { effective, requiresCustomerAction, withdrawn, effectiveAt } = change;
  const places = {
    immediate: after,
    next_renewal: after.scheduledChange,
    after_confirmation: after.pendingApproval as Terms | null,
  };
  const to = places[effective as keyof typeof places];
  return {
    effective,
    requiresCustomerAction,
    effectiveAt: effective === 'immediate' ? 'now' : effectiveAt,
    withdraws: withdrawn === undefined ? null : termsOf(withdrawn as Terms),
    to: to === null ? null : termsOf(to),
  };
}
