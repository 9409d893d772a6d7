import type { Catalog } from '../../catalog/create-catalog';
import type { Actor } from '../../tenancy/actor';
import type { Enforcement } from '../../domain/access-types';

interface DemoEntitlement {
  feature: string;
  quota?: number | null;
  perSeat?: boolean;
  resetInterval?: 'billing_period' | 'day';
  enforcement?: Enforcement;
  creditCost?: number;
}

interface DemoPlan {
  slug: string;
  name: string;
  amount: string;
  pricing: 'flat' | 'per_seat';
  trialDays: number;
  entitlements: readonly DemoEntitlement[];
}

const FEATURES = [
  { key: 'ai_tokens', name: 'AI tokens', kind: 'metered', unit: 'token' },
  { key: 'api_calls', name: 'API calls', kind: 'metered', unit: 'call' },
  { key: 'exports', name: 'Exports', kind: 'metered', unit: 'export' },
  { key: 'sso', name: 'Single sign-on', kind: 'boolean' },
] as const;

const PLANS: readonly DemoPlan[] = [
  {
    slug: 'starter',
    name: 'Starter',
    amount: '0',
    pricing: 'flat',
    trialDays: 0,
    entitlements: [
      { feature: 'ai_tokens', quota: 1_000 },
      { feature: 'exports', quota: 3, resetInterval: 'day' },
    ],
  },
  {
    slug: 'pro',
    name: 'Pro',
    amount: '2900',
    pricing: 'per_seat',
    trialDays: 0,
    entitlements: [
      { feature: 'ai_tokens', quota: 100_000, creditCost: 0.01 },
      { feature: 'api_calls', quota: 10_000, perSeat: true, enforcement: 'soft' },
      { feature: 'exports', quota: 50, resetInterval: 'day' },
    ],
  },
  {
    slug: 'team',
    name: 'Team (14 days free)',
    amount: '9900',
    pricing: 'flat',
    trialDays: 14,
    entitlements: [{ feature: 'ai_tokens', quota: 500_000, enforcement: 'soft' }, { feature: 'sso' }],
  },
  {
    slug: 'scale',
    name: 'Scale',
    amount: '49900',
    pricing: 'flat',
    trialDays: 0,
    entitlements: [
      { feature: 'ai_tokens', quota: null },
      { feature: 'api_calls', quota: null },
      { feature: 'exports', quota: null },
      { feature: 'sso' },
    ],
  },
];

/** The plans that a payment provider can collect for. Amounts in US cents. */
export const PAID_PLANS = PLANS.filter(({ amount }) => amount !== '0');

/** Creates the demo's plan group, features and plans, as an operator would. */
export async function makeDemoCatalogue(catalog: Catalog, actor: Actor): Promise<void> {
  for (const feature of FEATURES) await catalog.features.create(actor, feature);
  const group = await catalog.planGroups.create(actor, { slug: 'main', name: 'Main' });
  for (const { amount, entitlements, ...terms } of PLANS) {
    const plan = await catalog.plans.create(actor, {
      ...terms,
      planGroupId: group.id,
      price: { amount: BigInt(amount), currency: 'USD' },
      interval: 'month',
      metadata: {},
      entityLimit: null,
    });
    for (const {
      feature,
      quota,
      perSeat = false,
      resetInterval = 'billing_period',
      enforcement = 'hard',
      creditCost = null,
    } of entitlements) {
      await catalog.entitlements.create(actor, plan.id, {
        featureKey: feature,
        quota,
        perSeat,
        resetInterval,
        enforcement,
        creditCost,
        rollover: null,
        entityQuota: null,
        alertPercents: null,
      });
    }
  }
}
