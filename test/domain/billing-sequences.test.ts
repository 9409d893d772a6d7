import fc from 'fast-check';
import { isTollgateError } from '../../src/domain/errors';
import { nextWake } from '../../src/domain/lifecycle';
import { periodPrice } from '../../src/domain/proration';
import type { OfferedPlan } from '../../src/domain/subscription';
import { DAY_MS } from '../../src/domain/instant';
import { at, offered, ZONES } from './billing-cases';
import { BillingModel, type ModelTransaction } from './billing-model';
import { cases } from './property';

type Command =
  | { kind: 'advance'; days: number }
  | { kind: 'to_boundary' }
  | { kind: 'change'; plan: number; seats: number }
  | { kind: 'withdraw' }
  | { kind: 'cancel' }
  | { kind: 'pay'; which: number; percent: bigint }
  | { kind: 'reprice'; plan: number; amount: bigint };

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('advance'), days: fc.integer({ min: 0, max: 45 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('to_boundary') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      plan: fc.integer({ min: 0, max: 4 }),
      seats: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      which: fc.nat({ max: 5 }),
      percent: fc.constantFrom(30n, 100n, 100n, 130n),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reprice'),
      plan: fc.integer({ min: 0, max: 4 }),
      amount: fc.bigInt({ min: 0n, max: 5000n }),
    }),
  },
);

function plansIn(currency: string, trialDays: number): OfferedPlan[] {
  const price = (amount: bigint) => ({ amount, currency });
  return [
    offered('free', { price: price(0n), pricing: 'flat', trialDays }),
    offered('starter', { price: price(1451n), trialDays }),
    offered('pro', { price: price(2999n), trialDays }),
    offered('flat', { price: price(7001n), pricing: 'flat', trialDays }),
    offered('yearly', { price: price(29_990n), interval: 'year', trialDays }),
  ];
}

/** Runs the command if it is possible. A refused command changes nothing, so there is nothing to undo. */
function run(model: BillingModel, ids: readonly string[], command: Command): void {
  const planAt = (index: number): OfferedPlan => {
    const plan = model.plans.get(ids[index] ?? '');
    if (plan === undefined) throw new Error('There is no such plan.');
    return plan;
  };
  switch (command.kind) {
    case 'advance':
      model.advanceTo(model.now + command.days * DAY_MS);
      return;
    case 'to_boundary': {
      const wake = nextWake(model.subscription, model.now);
      if (wake.kind === 'wait') model.advanceTo(wake.at);
      return;
    }
    case 'change': {
      const before = model.transactions.length;
      const target = planAt(command.plan);
      try {
        const plan = model.change(target, command.seats);
        const made = plan.effective === 'immediate' ? 1 : 0;
        expect(model.transactions.length - before).toBe(made);
      } catch (e) {
        if (!isTollgateError(e)) throw e;
      }
      return;
    }
    case 'withdraw':
      if (!model.isOver()) model.withdraw();
      return;
    case 'cancel':
      model.cancel();
      return;
    case 'pay': {
      const transaction = model.transactions[command.which % Math.max(model.transactions.length, 1)];
      if (transaction === undefined) return;
      const open = transaction.total - transaction.amountPaid;
      if (open > 0n) model.pay(transaction, (open * command.percent) / 100n + 1n);
      return;
    }
    case 'reprice': {
      const plan = planAt(command.plan);
      model.reprice({ ...plan, price: { ...plan.price, amount: command.amount } });
    }
  }
}

function requireInvariants(model: BillingModel): void {
  const { subscription, transactions, now, open } = model;
  const charges = transactions.filter(({ kind }) => kind !== 'proration');
  requireTiling(model, charges);
  for (const { kind, total, subtotal, taxAmount, madeAt, periodStart, periodEnd } of transactions) {
    expect(subtotal >= 0n && taxAmount >= 0n && total === subtotal + taxAmount).toBe(true);
    if (kind === 'proration') expect(periodStart <= madeAt && madeAt < periodEnd).toBe(true);
    else expect(madeAt).toBe(periodStart);
  }
  for (const charge of charges) requireChargedOnce(charge, transactions);
  if (model.isOver()) {
    expect(open).toEqual([]);
    expect(subscription).toMatchObject({ paymentDueAt: null, pastDueSince: null, scheduled: null });
    expect(nextWake(subscription, Number.POSITIVE_INFINITY)).toEqual({ kind: 'finished' });
    return;
  }
  const dueAts = open.map(({ dueAt }) => dueAt);
  const paymentDueAt = dueAts.length === 0 ? null : Math.min(...dueAts);
  expect(subscription.paymentDueAt).toBe(paymentDueAt);
  const isPastDue = paymentDueAt !== null && paymentDueAt <= now;
  expect(subscription.status === 'past_due').toBe(isPastDue);
  expect(subscription.pastDueSince).toBe(isPastDue ? paymentDueAt : null);
  expect(subscription.currentPeriodStart <= now && now < subscription.currentPeriodEnd).toBe(true);
  expect(nextWake(subscription, now).kind).toBe('wait');
  expect(subscription.scheduledInterval === null).toBe(subscription.scheduled === null);
}

/** Requires exactly one charge for every period since the start or the end of the trial. */
function requireTiling({ subscription }: BillingModel, charges: readonly ModelTransaction[]): void {
  let boundary = subscription.trialEnd ?? subscription.startedAt;
  for (const [index, charge] of charges.entries()) {
    expect(charge.kind).toBe(index === 0 ? 'initial' : 'renewal');
    expect(charge.periodStart).toBe(boundary);
    boundary = charge.periodEnd;
  }
  if (charges.length > 0) expect(boundary).toBe(subscription.currentPeriodEnd);
}

/** Requires that a period's charge and prorations never exceed the price of a whole period on its final terms. */
function requireChargedOnce(charge: ModelTransaction, transactions: readonly ModelTransaction[]): void {
  const changes = transactions.filter(
    ({ kind, periodStart }) => kind === 'proration' && periodStart === charge.periodStart,
  );
  const last = changes.at(-1)?.proration?.target;
  if (last === undefined) return;
  const sum = [charge, ...changes].reduce((total, { subtotal }) => total + subtotal, 0n);
  // Each change rounds two amounts, each by at most half a minor unit.
  expect(sum <= periodPrice(last) + BigInt(changes.length)).toBe(true);
}

describe('commands and time in any order', () => {
  it('charge each period once, skip none, and make nothing after the end', () => {
    fc.assert(
      fc.property(
        fc.record({
          now: fc.integer({ min: at('2023-01-01'), max: at('2028-01-01') }),
          timeZone: fc.constantFrom(...ZONES),
          currency: fc.constantFrom('USD', 'JPY', 'KWD'),
          trialDays: fc.constantFrom(0, 0, 14),
          plan: fc.integer({ min: 0, max: 4 }),
          seats: fc.integer({ min: 1, max: 5 }),
        }),
        fc.array(commands, { minLength: 5, maxLength: 40 }),
        ({ plan, currency, trialDays, ...opening }, sequence) => {
          const plans = plansIn(currency, trialDays);
          const first = plans[plan];
          if (first === undefined) throw new Error('There is no such plan.');
          const ids = plans.map(({ id }) => id);
          const model = new BillingModel(new Map(plans.map((one) => [one.id, one])), first, opening);
          requireInvariants(model);
          for (const command of sequence) {
            const ended = model.isOver() ? model.transactions.length : null;
            run(model, ids, command);
            requireInvariants(model);
            if (ended !== null) expect(model.transactions).toHaveLength(ended);
          }
          requireForwardSteps(model);
        },
      ),
      cases(250),
    );
  });
});

/** Requires that no step is taken twice and none after a later one. */
function requireForwardSteps({ stepsTaken }: BillingModel): void {
  const names = stepsTaken.map(({ step, boundary }) => `${step} ${boundary}`);
  expect(new Set(names).size).toBe(names.length);
  const boundaries = stepsTaken.map(({ boundary }) => boundary);
  expect(boundaries).toEqual([...boundaries].sort((a, b) => a - b));
}
