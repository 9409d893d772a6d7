import { PAID_PLANS } from './demo-catalogue';
import type { DemoConnections } from './demo-connections';
import { planReferenceOf } from './demo-plan-references';
import type { PaymentProvider } from '../../domain/provider';

/** Bodies that the simulators' control accepts at `POST /{a|b|c}/accounts`. */
export type SimulatorAccounts = Record<'a' | 'b' | 'c', object>;

/**
 * Returns the provider accounts of the demo's connections: their secrets, their plans, and the sandbox host as the
 * address of their webhooks.
 */
export function simulatorAccounts(
  { provider_a: a, provider_b: b, provider_c: c }: DemoConnections,
  sandboxUrl: string,
): SimulatorAccounts {
  const webhookUrl = (provider: PaymentProvider, id: string): string =>
    `${sandboxUrl}/v1/webhooks/${provider}?connection=${id}`;
  return {
    a: {
      ...a.secrets,
      webhookUrl: webhookUrl('provider_a', a.id),
      prices: PAID_PLANS.map(({ slug, amount }) => ({
        id: planReferenceOf('provider_a', slug),
        unitAmount: Number(amount),
        currency: 'usd',
        interval: 'month',
      })),
    },
    b: {
      clientId: b.secrets.clientId,
      clientSecret: b.secrets.clientSecret,
      webhooks: [{ id: b.secrets.webhookId, url: webhookUrl('provider_b', b.id) }],
      plans: PAID_PLANS.map(({ slug, name, amount }) => ({
        id: planReferenceOf('provider_b', slug),
        name,
        price: { value: `${amount.slice(0, -2)}.${amount.slice(-2)}`, currency_code: 'USD' },
      })),
    },
    c: {
      ...c.secrets,
      webhookUrl: webhookUrl('provider_c', c.id),
      plans: PAID_PLANS.map(({ slug, name, amount }) => ({
        code: planReferenceOf('provider_c', slug),
        name,
        amount: Number(amount),
        currency: 'USD',
        interval: 'monthly',
      })),
    },
  };
}
