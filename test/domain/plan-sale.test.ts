import fc from 'fast-check';
import { isOnSale, saleObstacle, type SaleObstacle, type Seller } from '../../src/domain/plan-sale';
import { PROVIDERS } from '../../src/domain/provider';

const connected: Seller = { provider: 'provider_a', disabled: false, mapped: true, priceDiffers: false };
const plan = { archivedAt: null, planGroup: { archivedAt: null }, trialDays: 0 };

test.each<[string, Partial<Parameters<typeof saleObstacle>[0]>, Partial<Seller>, SaleObstacle | null]>([
  ['a plan with a reference', {}, {}, null],
  ['an archived plan', { archivedAt: 1 }, { disabled: true }, 'plan_archived'],
  ['a plan of an archived group', { planGroup: { archivedAt: 1 } }, {}, 'plan_archived'],
  ['a disabled connection', {}, { disabled: true, mapped: false }, 'connection_disabled'],
  ['a trial at B', { trialDays: 1 }, { provider: 'provider_b', mapped: false }, 'trial_unsupported'],
  ['a trial at A', { trialDays: 1 }, {}, null],
  ['a trial in local billing', { trialDays: 1 }, { provider: 'internal' }, null],
  ['a plan without a reference', {}, { mapped: false, priceDiffers: true }, 'plan_not_mapped'],
  ['another price there', {}, { priceDiffers: true }, 'plan_price_differs'],
])('%s', (_, planMembers, seller, obstacle) => {
  expect(saleObstacle({ ...plan, ...planMembers }, { ...connected, ...seller })).toBe(obstacle);
});

test('a plan is sold only if no reason speaks against it', () => {
  const sellers = fc.record({
    provider: fc.constantFrom(...PROVIDERS),
    disabled: fc.boolean(),
    mapped: fc.boolean(),
    priceDiffers: fc.boolean(),
  });
  const archivedAt = fc.constantFrom(null, 1);
  const plans = fc.record({ archivedAt, planGroup: fc.record({ archivedAt }), trialDays: fc.nat(2) });
  fc.assert(
    fc.property(plans, sellers, (offered, seller) => {
      if (saleObstacle(offered, seller) !== null) return true;
      return isOnSale(offered) && !seller.disabled && seller.mapped && !seller.priceDiffers;
    }),
  );
});
