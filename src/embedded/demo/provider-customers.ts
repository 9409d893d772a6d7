import type { PaymentProvider } from '../../domain/provider';

/** Action on a demo customer's subscription once it is paid. */
export type DemoAct =
  | { act: 'change'; to: { planSlug: string; seats?: number } }
  /** Presses the button on the provider's page that approves the change. */
  | { act: 'approve' }
  | { act: 'cancel' }
  /** Adds a seat directly at the provider, with a card that declines. */
  | { act: 'seat_with_declined_card' };

/** A demo customer billed by a payment provider, in an interesting state. */
export interface ProviderCustomer {
  externalId: string;
  name: string;
  provider: PaymentProvider;
  plan: string;
  seats: number;
  /** Undefined if the checkout stays open. */
  acts: readonly DemoAct[] | undefined;
}

const customer = (
  letter: 'a' | 'b' | 'c',
  state: string,
  name: string,
  acts: ProviderCustomer['acts'],
  { plan = 'pro', seats = 1 } = {},
): ProviderCustomer => ({
  externalId: `demo_${letter}_${state}`,
  name: `At provider ${letter.toUpperCase()}: ${name}`,
  provider: `provider_${letter}`,
  plan,
  seats,
  acts,
});

const larger = { act: 'change', to: { planSlug: 'scale' } } as const;
const smaller = { act: 'change', to: { planSlug: 'pro', seats: 1 } } as const;

export const PROVIDER_CUSTOMERS: readonly ProviderCustomer[] = [
  customer('a', 'active', 'active', [], { seats: 2 }),
  customer('a', 'upgraded', 'upgraded at once', [larger]),
  customer('a', 'downgrading', 'a smaller plan from the renewal on', [smaller], { plan: 'scale' }),
  customer('a', 'cancelling', 'ends with its period', [{ act: 'cancel' }]),
  customer('a', 'past_due', 'past due, and a seat more there than here', [
    { act: 'seat_with_declined_card' },
  ]),
  customer('a', 'checkout', 'has not paid yet', undefined),
  customer('b', 'active', 'active', [], { seats: 2 }),
  customer('b', 'asked', 'is asked to approve a larger plan', [larger]),
  customer('b', 'confirmed', 'has approved a larger plan', [larger, { act: 'approve' }]),
  customer('b', 'cancelled', 'cancelled', [{ act: 'cancel' }]),
  customer('b', 'checkout', 'has not paid yet', undefined),
  customer('c', 'active', 'active', []),
  customer('c', 'cancelling', 'ends with its period', [{ act: 'cancel' }]),
  customer('c', 'checkout', 'has not paid yet', undefined),
];
