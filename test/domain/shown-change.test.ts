import { requireAsShown } from '../../src/domain/shown-change';
import { STARTER } from './provider-row';
import { refusalOf } from './refusal';

const PLANNED = { planId: STARTER.planId, planSlug: STARTER.planSlug, seats: STARTER.seats };
const plan = (withdraws: typeof PLANNED | null) =>
  ({ effective: 'immediate', transaction: null, withdraws }) as const;
const shown = { effective: 'immediate', dueNow: 0n };

describe('a change that takes the place of a planned one', () => {
  it.each([
    ['showed it', PLANNED],
    ['showed nothing of it, and does not say', undefined],
  ])('is made where the preview %s', (_, withdraws) => {
    requireAsShown(plan(PLANNED), { ...shown, withdraws });
  });

  it.each([
    ['none', null],
    ['another plan', { ...PLANNED, planId: 'plan_pro' }],
    ['other seats', { ...PLANNED, seats: 7 }],
  ])('is refused where the preview showed %s', (_, withdraws) => {
    const make = (): void => {
      requireAsShown(plan(PLANNED), { ...shown, withdraws });
    };
    expect(refusalOf(make).code).toBe('change_differs');
    expect(make).toThrow('The change would take the place of the one to starter that was planned meanwhile.');
  });

  it('is made where what was shown has been taken back already', () => {
    requireAsShown(plan(null), { ...shown, withdraws: PLANNED });
  });
});
