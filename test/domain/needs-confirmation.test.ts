import { isConfirmedByCustomer, needsConfirmation } from '../../src/domain/needs-confirmation';

const terms = (planId: string, seats: number, pricing: 'flat' | 'per_seat' = 'per_seat') => ({
  planId,
  seats,
  pricing,
});
const atB = { provider: 'provider_b', ...terms('pro', 2), scheduled: null } as const;
const flat = { ...atB, pricing: 'flat' } as const;

test.each([
  ['another plan', atB, terms('large', 2), true],
  ['other seats', atB, terms('pro', 3), true],
  ['what is billed', atB, terms('pro', 2), false],
  ['other seats of a flat plan, which are not billed', flat, terms('pro', 3, 'flat'), false],
  ['a plan under the same reference', { ...atB, isSamePlanAtProvider: true }, terms('large', 2), false],
  ['its seats', { ...atB, isSamePlanAtProvider: true }, terms('large', 3), true],
  ['what is billed next', { ...atB, scheduled: terms('large', 2) }, terms('large', 2), false],
  ['what is billed until then', { ...atB, scheduled: terms('large', 2) }, terms('pro', 2), true],
  ['another plan, at provider A', { ...atB, provider: 'provider_a' }, terms('large', 2), false],
] as const)('a change to %s', (_, subscription, to, needs) => {
  expect(needsConfirmation(subscription, to)).toBe(needs);
});

test.each([
  ['nothing', atB, false],
  ['another plan', { ...atB, scheduled: terms('large', 2) }, true],
  ['other seats', { ...atB, scheduled: terms('pro', 3) }, true],
  ['other seats of a flat plan', { ...flat, scheduled: terms('pro', 3, 'flat') }, false],
  ['another plan, at provider A', { ...atB, provider: 'provider_a', scheduled: terms('large', 2) }, false],
] as const)('a customer has confirmed what is scheduled: %s', (_, subscription, is) => {
  expect(isConfirmedByCustomer(subscription)).toBe(is);
});
