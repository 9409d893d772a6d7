import { randomUUID } from 'node:crypto';
import type { PaymentProvider } from '../../src/domain/provider';
import type { RunningSimulators } from '../../simulators/start';
import { connect, fakeSecret } from '../connections/connection-calls';
import type { CatalogueSeeder } from './catalogue';
import type { OperatorClient } from './operator';

/** The plans of every shop, in one plan group: monthly, in USD, priced per seat if `per_seat`. */
const PLANS = {
  starter: { price_amount: 1000, pricing: 'per_seat' },
  pro: { price_amount: 3000, pricing: 'per_seat' },
  large: { price_amount: 9000, pricing: 'per_seat' },
} as const;
export type PlanName = keyof typeof PLANS;
const PLAN_NAMES = Object.keys(PLANS) as PlanName[];
const QUOTAS: Record<PlanName, number> = { starter: 100, pro: 1_000, large: 10_000 };

const PLAN_REFERENCES: Record<PaymentProvider, Record<PlanName, string>> = {
  provider_a: { starter: 'price_starter', pro: 'price_pro', large: 'price_large' },
  provider_b: { starter: 'P-STARTER', pro: 'P-PRO', large: 'P-LARGE' },
  provider_c: { starter: 'PLN_starter', pro: 'PLN_pro', large: 'PLN_large' },
};

/** A workspace's plans and its connections to an account at each simulated provider. */
export interface ProviderShop {
  connections: Record<PaymentProvider, string>;
  secrets: Record<PaymentProvider, Record<string, string>>;
  plans: Record<PlanName, { planId: string; planGroupId: string }>;
}

/** @param sandboxUrl where the providers' webhooks go */
export async function openShop(
  operator: OperatorClient,
  seed: CatalogueSeeder,
  simulators: Pick<RunningSimulators, 'providers'>,
  sandboxUrl: string,
): Promise<ProviderShop> {
  const secrets = {
    provider_a: { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') },
    provider_b: {
      clientId: fakeSecret('client-'),
      clientSecret: fakeSecret('secret-'),
      webhookId: `WH${randomUUID().replaceAll('-', '')}`,
    },
    provider_c: { secretKey: fakeSecret('sk_test_') },
  };
  const connected = async (provider: PaymentProvider): Promise<string> => {
    const { [provider]: references } = PLAN_REFERENCES;
    const settings = { planReferences: references };
    return connect(operator, { provider, secrets: secrets[provider], settings });
  };
  const connections = {
    provider_a: await connected('provider_a'),
    provider_b: await connected('provider_b'),
    provider_c: await connected('provider_c'),
  };
  const starter = await seed.plan('starter', entitled('starter'), PLANS.starter);
  const within = { plan_group_id: starter.planGroupId };
  const plans = {
    starter,
    pro: await seed.plan('pro', entitled('pro'), { ...PLANS.pro, ...within }),
    large: await seed.plan('large', entitled('large'), { ...PLANS.large, ...within }),
  };
  const shop = { connections, secrets, plans };
  openAccounts(shop, simulators, sandboxUrl);
  return shop;
}

function openAccounts(
  { connections, secrets }: Pick<ProviderShop, 'connections' | 'secrets'>,
  { providers: { a, b, c } }: Pick<RunningSimulators, 'providers'>,
  sandboxUrl: string,
): void {
  const url = (provider: PaymentProvider): string =>
    `${sandboxUrl}/v1/webhooks/${provider}?connection=${connections[provider]}`;
  const { provider_a, provider_b, provider_c } = secrets;
  const account = a.account({
    secretKey: provider_a['secretKey'] ?? '',
    webhookUrl: url('provider_a'),
    webhookSecret: provider_a['webhookSecret'] ?? '',
  });
  for (const name of PLAN_NAMES) {
    const { price_amount: unitAmount } = PLANS[name];
    account.price({ id: `price_${name}`, unitAmount, currency: 'usd', interval: 'month' });
  }
  b.account({
    clientId: provider_b['clientId'] ?? '',
    clientSecret: provider_b['clientSecret'] ?? '',
    webhooks: [{ id: provider_b['webhookId'] ?? '', url: url('provider_b') }],
    plans: plansAtB(),
  });
  c.account({
    secretKey: provider_c['secretKey'] ?? '',
    webhookUrl: url('provider_c'),
    plans: PLAN_NAMES.map((name) => ({
      code: `PLN_${name}`,
      name,
      amount: PLANS[name].price_amount,
      currency: 'USD',
      interval: 'monthly' as const,
    })),
  });
}

/** Returns the plans as provider B stores them; it adds a tax of `percentage` to their prices. */
export function plansAtB(percentage?: string) {
  return PLAN_NAMES.map((name) => ({
    id: `P-${name.toUpperCase()}`,
    name,
    price: { value: `${PLANS[name].price_amount / 100}.00`, currency_code: 'USD' },
    ...(percentage !== undefined && { taxes: { percentage, inclusive: false } }),
  }));
}

function entitled(plan: PlanName) {
  return [{ feature: 'api_calls', quota: QUOTAS[plan] }];
}

/** Presses the button that pays or approves on a provider's page. */
export async function payOnPage(provider: PaymentProvider, page: string): Promise<void> {
  const pressed = {
    provider_a: { outcome: 'pay' },
    provider_b: { choice: 'approve' },
    provider_c: { act: 'pay' },
  };
  await press(page, pressed[provider]);
}

/** Submits the form of a provider's page. */
export async function press(page: string, form: Record<string, string>): Promise<void> {
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  if (answer.status >= 400) throw new Error(`The page answered ${answer.status}: ${await answer.text()}`);
}
