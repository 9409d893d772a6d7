import fc from 'fast-check';
import { HOUR_MS } from '../../src/domain/instant';
import { reconcileFacts } from '../../src/domain/provider-reconciliation';
import { NO_WORK, withDropped, type RequestedTerms } from '../../src/domain/provider-work';
import type { BilledFacts, ReconciledView } from '../../src/domain/reconciled-view';
import { ON_PRO, PROVIDER_ROW, START, END } from './provider-row';
import { cases } from './property';

/**
 * Random lives of a subscription at provider B. Changes are requested, dropped, replaced, and approved in time, late
 * or twice; renewals occur; B's notifications arrive or are lost. The model is B itself, which bills at each renewal
 * the terms that its customer approved last.
 */
const MONTH = END - START;
const PLANS = ['pro', 'large', 'small', 'mini'] as const;
type Plan = (typeof PLANS)[number];
const PRICES: Record<Plan, bigint> = { pro: 2998n, large: 8998n, small: 998n, mini: 498n };

type Act =
  | { act: 'ask'; plan: Plan }
  | { act: 'give_up' | 'expire' | 'approve' | 'approve_old' | 'renew' | 'hear' };

interface Life {
  view: ReconciledView;
  now: number;
  /** The plan at B. */
  plan: Plan;
  /** All approval pages ever shown, newest last. */
  pages: Plan[];
  periodEnd: number;
  paid: { plan: Plan; at: number };
  /** Amounts charged at each boundary, including the tax that B adds, in percent. */
  charges: { at: number; amount: string }[];
  tax: number;
  /** Minor units per unit of `PRICES`, which B rounds its charges to. */
  step: bigint;
  heard: boolean;
}

function charge({ tax, step, paid }: Life): { at: number; amount: string } {
  const rounded = Math.round(Number(PRICES[paid.plan]) * (1 + tax / 100));
  return { at: paid.at, amount: (BigInt(rounded) * step).toString() };
}

function terms({ step }: Life, plan: Plan, now: number): RequestedTerms {
  return {
    planId: `plan_${plan}`,
    planSlug: plan,
    seats: 2,
    unitAmount: ((PRICES[plan] * step) / 2n).toString(),
    pricing: 'per_seat',
    interval: 'month',
    planReference: `ref_plan_${plan}`,
    requestedAt: now,
  };
}

function hear(life: Life): void {
  const { currentPeriodStart } = life.view;
  const before = life.charges.find(({ at }) => at === currentPeriodStart)?.amount;
  const facts: BilledFacts = {
    status: 'active',
    planReference: `ref_plan_${life.plan}`,
    quantity: 2,
    currentPeriodStart: life.periodEnd - MONTH,
    currentPeriodEnd: life.periodEnd,
    cancelAtPeriodEnd: false,
    lastPayment: { ...charge(life), ...(before !== undefined && { before }) },
  };
  life.view = reconcileFacts(life.view, facts, { now: life.now, failedAt: null }).view;
  life.heard = true;
}

function take(life: Life, act: Act): void {
  life.now += HOUR_MS;
  const { work } = life.view;
  switch (act.act) {
    case 'ask': {
      if (!life.heard) hear(life);
      const billed = life.view.scheduled ?? life.view;
      if (billed.planId === `plan_${act.plan}`) return;
      // Only the newest page of a plan remains valid.
      life.pages = [...life.pages.filter((plan) => plan !== act.plan), act.plan];
      const request = {
        ...terms(life, act.plan, life.now),
        approvalUrl: 'x',
        expiresAt: life.now,
        lookAt: life.now,
      };
      const before = life.view.work;
      const requested = { ...before, request };
      life.view = {
        ...life.view,
        work: before.request === null ? requested : withDropped(requested, before.request),
      };
      return;
    }
    case 'give_up':
    case 'expire':
      if (work.request !== null)
        life.view = { ...life.view, work: withDropped({ ...work, request: null }, work.request) };
      return;
    case 'approve':
    case 'approve_old': {
      // A page can be approved once.
      const plan = act.act === 'approve' ? life.pages.pop() : life.pages.shift();
      if (plan === undefined) return;
      life.plan = plan;
      life.heard = false;
      return;
    }
    case 'renew':
      life.now = Math.max(life.now, life.periodEnd + 1000);
      life.paid = { plan: life.plan, at: life.periodEnd };
      life.charges.push(charge(life));
      life.periodEnd += MONTH;
      life.heard = false;
      return;
    case 'hear':
      hear(life);
  }
}

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLANS).map((plan): Act => ({ act: 'ask', plan })) },
  {
    weight: 7,
    arbitrary: fc
      .constantFrom('give_up', 'expire', 'approve', 'approve_old', 'renew', 'hear')
      .map((act): Act => ({ act })),
  },
);

const taxes = fc.constantFrom(0, 5, 7.25, 10, 19, 25);
/** B charges dollars to the cent, and forints without their decimals. */
const currencies = fc.constantFrom({ currency: 'USD', step: 1n }, { currency: 'HUF', step: 100n });

test('once B is heard after a renewal, the plan here is the one that was paid for', () => {
  fc.assert(
    fc.property(
      fc.array(acts, { minLength: 3, maxLength: 25 }),
      taxes,
      currencies,
      (life, tax, { currency, step }) => {
        const state: Life = {
          view: {
            ...PROVIDER_ROW,
            ...ON_PRO,
            provider: 'provider_b',
            currency,
            unitAmount: 1499n * step,
            planUnitAmount: 1499n * step,
            work: NO_WORK,
          },
          now: START,
          plan: 'pro',
          pages: [],
          periodEnd: END,
          paid: { plan: 'pro', at: START },
          charges: [],
          tax,
          step,
          heard: true,
        };
        state.charges.push(charge(state));
        for (const act of life) {
          take(state, act);
          if (state.heard) {
            expect(state.view.planSlug).toBe(state.paid.plan);
            const next = state.view.scheduled ?? state.view;
            expect(next.planSlug).toBe(state.plan);
          }
        }
      },
    ),
    cases(1000),
  );
});
