import { requireAsShown } from '../../src/domain/shown-change';
import { draftTransaction } from '../../src/domain/transaction';
import { END, START, STARTER } from './provider-row';
import { refusalOf } from './refusal';

const PLANNED = { planId: STARTER.planId, planSlug: STARTER.planSlug, seats: STARTER.seats };
const plan = (withdraws: typeof PLANNED | null) =>
  ({ effective: 'immediate', effectiveAt: END, transaction: null, withdraws }) as const;
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
    expect(make).toThrow(
      'The change would replace the one to starter that has been planned in the meantime.',
    );
  });

  it('is made where what was shown has been taken back already', () => {
    requireAsShown(plan(null), { ...shown, withdraws: PLANNED });
  });
});

describe('a change that waits for a renewal', () => {
  const waits = { ...plan(null), effective: 'next_renewal' } as const;
  const asShown = { effective: 'next_renewal', dueNow: 0n };

  it.each([END, undefined])(
    'is made where the preview showed the same renewal, or does not say (%s)',
    (effectiveAt) => {
      requireAsShown(waits, { ...asShown, effectiveAt });
    },
  );

  it('is refused if it was shown for a period that has ended', () => {
    const make = (): void => {
      requireAsShown(waits, { ...asShown, effectiveAt: START });
    };
    expect(refusalOf(make).code).toBe('change_differs');
  });
});

test('an immediate change may have been shown at any time', () => {
  requireAsShown(plan(null), { ...shown, effectiveAt: START });
});

test('a change may cost more than was shown by what rounding makes, and no more', () => {
  const costs = (amount: bigint) => {
    const transaction = draftTransaction({
      kind: 'proration',
      currency: 'USD',
      lines: [{ description: 'Remaining time', quantity: 1, unitAmount: null, amount }],
      tax: { behavior: 'none', rates: [] },
      periodStart: START,
      periodEnd: END,
      dueAt: END,
      proration: null,
    });
    return (): void => {
      requireAsShown({ ...plan(null), transaction }, { ...shown, dueNow: 100n });
    };
  };
  costs(103n)();
  expect(refusalOf(costs(104n)).code).toBe('change_differs');
});
