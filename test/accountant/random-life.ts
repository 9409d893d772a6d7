import { randomUUID } from 'node:crypto';
import { made, type ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import type { Fault } from '../../simulators/core/types';
import type { ConsoleAnswer } from '../support/operator';
import { differencesOf, moneyHere, moneyThere } from './compare-books';
import { accountAt, type ProviderAccount } from './provider-account';
import type { Random } from './random';
import { press } from '../support/provider-world';
import type { UnreliablePost } from './unreliable-post';
import type { PaymentProvider } from '../../src/domain/provider';

const PLANS = ['starter', 'pro', 'large'] as const;
/** Expected statuses. A provider may refuse a refund by its own rules for remaining amount, age and disputes. */
const EXPECTED = [200, 201, 202, 402, 409, 422];

const FAULTS_OF_ALL = ['answer_429', 'answer_500', 'answer_page', 'cut_after_commit', 'cut_answer'] as const;
/** Only provider B shows a change late. */
const FAULTS: Record<PaymentProvider, readonly Fault[]> = {
  provider_a: FAULTS_OF_ALL,
  provider_b: [...FAULTS_OF_ALL, 'answer_stale'],
  provider_c: FAULTS_OF_ALL,
};

/** Amounts paid once, also in currencies without decimals and with three. A charges dinars in steps of ten minor units. */
const AMOUNTS: Record<PaymentProvider, readonly (readonly [amount: string, currency: string])[]> = {
  provider_a: [
    ['1234', 'USD'],
    ['1235', 'JPY'],
    ['12340', 'KWD'],
  ],
  provider_b: [
    ['1234', 'USD'],
    ['1235', 'JPY'],
  ],
  provider_c: [
    ['1234', 'USD'],
    ['123457', 'NGN'],
  ],
};

/** Differences that only the merchant makes and ends, at the provider. */
const MADE_THERE: ReadonlySet<string> = new Set(['discount', 'items', 'pausedCollection']);

interface Sold {
  checkoutId: string;
  subscriptionId: string;
  email: string;
}

/**
 * Random actions of customers, merchants and banks at one provider, whose webhooks arrive twice, late, out of order or
 * never. At the end the service's books must agree with the provider's.
 */
export class RandomLife {
  private readonly account: ProviderAccount;
  private readonly sold: Sold[] = [];
  /** Subscriptions to which something was done at the provider. */
  private readonly acted = new Set<string>();
  private open: ((outcome: 'won' | 'lost') => void)[] = [];
  /** Log of the actions, for finding the cause of a difference. */
  readonly journal: string[] = [];

  constructor(
    private readonly bench: ProviderCheckoutBench,
    readonly provider: PaymentProvider,
    private readonly random: Random,
    readonly post: UnreliablePost,
  ) {
    this.account = accountAt(bench.world, provider);
  }

  /** Runs random steps, then compares the books. @throws Error with the journal, when the books differ */
  async live(steps: number): Promise<void> {
    await this.subscribe();
    for (let n = 0; n < steps; n += 1) {
      await this.step();
      await this.post.carry();
    }
    await this.end();
    const differences = await this.differences();
    if (differences.length === 0) return;
    throw new Error([...differences, 'What was done:', ...this.journal].join('\n'));
  }

  async differences(): Promise<string[]> {
    const here = await moneyHere(this.world.service.database, this.provider);
    return differencesOf(this.provider, here, moneyThere(this.account.books()));
  }

  private get world() {
    return this.bench.world;
  }

  private async step(): Promise<void> {
    const steps: (() => Promise<void>)[] = [
      () => this.subscribe(),
      () => this.payOnce(),
      () => this.payTooLate(),
      () => this.payByBank(),
      () => this.payByCheque(),
      () => this.pass(this.random.oneOf([HOUR_MS, DAY_MS, 10 * DAY_MS])),
      () => this.renew(),
      () => this.renew(),
      () => this.troubled(() => this.renew()),
      () => this.failAndPayLater(),
      () => this.change(),
      () => this.refundThere(),
      () => this.refundThere(),
      () => this.refundHere(),
      () => this.refundHere(),
      () => this.dispute(),
      () => this.decide(),
      () => this.banks(),
      () => this.chores(),
      () => this.cancelOrReactivate(),
      () => this.actThere(),
    ];
    await this.random.oneOf(steps)();
  }

  private note(what: string): void {
    this.journal.push(what);
  }

  private async subscribe(): Promise<void> {
    const { externalId } = await this.bench.customer();
    const planSlug = this.random.oneOf(PLANS);
    const seats = 1 + this.random.below(3);
    this.note(`subscribe ${externalId} to ${planSlug} × ${seats}`);
    // Provider C does not support seats.
    const seated = this.provider === 'provider_c' ? {} : { seats };
    const answer = await this.bench.send({ externalId, planSlug, provider: this.provider, ...seated });
    const { id: checkoutId, subscriptionId, url } = made(answer);
    await this.world.pay(this.provider, url);
    await this.post.carry();
    this.sold.push({ checkoutId, subscriptionId, email: `${externalId}@example.test` });
    await this.pass(5 * MINUTE_MS);
  }

  private async payOnce(): Promise<void> {
    const [amount, currency] = this.random.oneOf(AMOUNTS[this.provider]);
    this.note(`${amount} ${currency} once`);
    const checkout = await this.bench.ask(this.provider, { amount, currency });
    await this.bench.pay(this.provider, checkout);
    this.sold.push({ checkoutId: checkout.id, subscriptionId: '', email: '' });
    await this.post.carry();
    await this.pass(5 * MINUTE_MS);
  }

  /** Pays on a page through a bank that answers days later, which only provider C offers. */
  private async payByBank(): Promise<void> {
    if (this.account.answerBanks === undefined) return;
    const isOnce = this.random.chance(0.5);
    const checkout = isOnce ? await this.bench.ask(this.provider) : await this.bench.offer(this.provider);
    await press(checkout.url, { act: 'pay_by_bank' });
    const { id: checkoutId, subscriptionId } = checkout;
    this.sold.push({ checkoutId, subscriptionId: isOnce ? '' : subscriptionId, email: '' });
    const days = 1 + this.random.below(4);
    await this.pass(days * DAY_MS);
    const isPaid = this.random.chance(0.7);
    this.note(`a payment through a bank, which ${isPaid ? 'pays' : 'refuses'} after ${days} days`);
    this.account.answerBanks(isPaid);
    await this.post.carry();
    await this.pass(HOUR_MS);
  }

  /** Pays an amount with a cheque, which clears while other things happen; only provider B takes cheques. */
  private async payByCheque(): Promise<void> {
    if (this.provider !== 'provider_b') return;
    const choice = this.random.oneOf(['approve_echeck', 'approve_slow_echeck'] as const);
    this.note(`an amount once: ${choice}`);
    const checkout = await this.bench.ask(this.provider);
    await press(checkout.url, { choice });
    this.sold.push({ checkoutId: checkout.id, subscriptionId: '', email: '' });
    await this.post.carry();
    await this.pass(5 * MINUTE_MS);
  }

  /** Gives up a checkout here, then pays it on the page that the customer still has open, if the provider allows it. */
  private async payTooLate(): Promise<void> {
    const checkout = await this.bench.ask(this.provider);
    const { status } = await this.troubled(() => this.bench.expire(checkout.id));
    this.note(`an amount once, given up (${status}) and paid`);
    await this.bench.pay(this.provider, checkout);
    this.sold.push({ checkoutId: checkout.id, subscriptionId: '', email: '' });
    await this.post.carry();
    await this.pass(5 * MINUTE_MS);
  }

  /** Advances time and does what workflows do when they wake. */
  private async pass(milliseconds: number): Promise<void> {
    await this.world.advanceBy(milliseconds);
    await this.post.carry();
    for (const { checkoutId } of this.sold) await this.bench.wake(checkoutId);
    const due = await this.bench.rows<{ id: string }>(
      'SELECT id FROM tollgate.refunds WHERE next_wake_at <= $1',
      [new Date(await this.world.now())],
    );
    // Move real time ahead, so that no earlier request can still be in transit.
    this.world.service.clock.ahead = 480_000;
    for (const { id } of due) await this.world.service.direct.catchUpRefund(this.bench.scope, id);
    this.world.service.clock.ahead = 0;
    await this.world.settle();
  }

  private async renew(): Promise<void> {
    const [one] = this.random.shuffled(await this.running());
    if (one === undefined) return;
    await this.untilAfter(one.subscriptionId);
  }

  /** Advances time beyond the end of its period. */
  private async untilAfter(subscriptionId: string): Promise<void> {
    const { currentPeriodEnd } = await this.world.show(subscriptionId);
    this.note(`until after ${currentPeriodEnd}`);
    const wait = Date.parse(currentPeriodEnd) - (await this.world.now());
    await this.pass(Math.max(0, wait) + 2 * HOUR_MS);
  }

  /** Makes a renewal fail, then lets cards pay again. A and B collect again within days, C with the next period. */
  private async failAndPayLater(): Promise<void> {
    const [one] = this.random.shuffled(await this.running());
    if (one === undefined) return;
    const { providerReference } = await this.world.show(one.subscriptionId);
    const of = { reference: String(providerReference), email: one.email };
    this.note(`cards of ${one.email} are declined`);
    await this.account.takeMoney(of, false);
    await this.renew();
    this.note('and pay again');
    await this.account.takeMoney(of, true);
    await this.pass(this.random.oneOf([HOUR_MS, 8 * DAY_MS]));
  }

  private async change(): Promise<void> {
    const [one] = this.random.shuffled(await this.running());
    if (one === undefined) return;
    const plan = this.random.oneOf(PLANS);
    const seats = 1 + this.random.below(4);
    this.note(`change to ${plan} × ${seats}`);
    const answer = await this.troubled(() => this.world.change(one.subscriptionId, { plan, seats }));
    this.expected(answer, 'change');
    const { requiresCustomerAction, approvalUrl } = answer.body;
    if (requiresCustomerAction !== true || typeof approvalUrl !== 'string') return;
    if (this.random.chance(0.8)) await this.world.pay(this.provider, approvalUrl);
  }

  private async refundThere(): Promise<void> {
    const payment = this.refundable();
    if (payment === undefined) return;
    const left = payment.amount - payment.returned;
    const amount = this.random.chance(0.3) ? left : 1n + BigInt(this.random.below(Number(left)));
    this.note(`refund of ${amount} of ${payment.reference} in the dashboard`);
    await this.account.refund(payment, amount);
  }

  private async refundHere(): Promise<void> {
    const rows = await this.bench.rows<{ id: string; amount: string; currency: string }>(
      `SELECT p.id, p.amount, p.currency FROM tollgate.payments p WHERE p.provider = $1 AND p.status = 'succeeded' ORDER BY p.id`,
      [this.provider],
    );
    const [payment] = this.random.shuffled(rows);
    if (payment === undefined) return;
    const amount = String(1 + this.random.below(Number(payment.amount)));
    const answer = await this.troubled(() =>
      this.world.operator.post('/api/billing/refunds', {
        body: { paymentId: payment.id, amount: { amount, currency: payment.currency } },
        headers: { 'Idempotency-Key': randomUUID() },
      }),
    );
    this.note(
      `refund of ${amount} ${payment.currency} of ${payment.id} by API: ${answer.status} ${String(answer.body['code'])}`,
    );
    this.expected(answer, 'refund');
  }

  /** Makes banks return refunds from now on, or accept them again. */
  private async banks(): Promise<void> {
    const takes = this.random.chance(0.5);
    this.note(`banks ${takes ? 'take' : 'send back'} refunds`);
    await this.account.settleRefunds(takes);
    await this.pass(HOUR_MS);
  }

  /** Runs `work`; half of the time, some of the provider's calls fail or are carried out without an answer. */
  private async troubled<T>(work: () => Promise<T>): Promise<T> {
    if (this.random.chance(0.5)) return work();
    const fault = this.random.oneOf(FAULTS[this.provider]);
    const times = 1 + this.random.below(4);
    const readsFirst = this.random.below(3);
    this.note(`the provider’s next answers: ${readsFirst} good ones, then ${fault} × ${times}`);
    if (readsFirst > 0) this.world.fault(this.provider, '/', 'none', readsFirst);
    this.world.fault(this.provider, '/', fault, times);
    try {
      return await work();
    } finally {
      this.world.simulators.core.faults.clear();
    }
  }

  private async dispute(): Promise<void> {
    const payment = this.refundable();
    if (payment === undefined || payment.disputable === null) return;
    this.note(`dispute of ${payment.reference}`);
    const decide = this.account.dispute(payment);
    if (decide !== null) this.open.push(decide);
    await this.post.carry();
  }

  private async decide(): Promise<void> {
    const decide = this.open.shift();
    if (decide === undefined) return;
    const outcome = this.random.oneOf(['won', 'lost'] as const);
    this.note(`a dispute is ${outcome}`);
    decide(outcome);
    await this.pass(HOUR_MS);
  }

  private async cancelOrReactivate(): Promise<void> {
    const [one] = this.random.shuffled(await this.running());
    if (one === undefined) return;
    const act = this.random.oneOf(['cancel', 'reactivate'] as const);
    const answer = await this.troubled(() => this.world.command(one.subscriptionId, act));
    this.note(`${act}: ${answer.status}`);
    this.expected(answer, act);
  }

  /** Does something on the provider's own pages, which nobody but its webhooks tells of. */
  private async actThere(): Promise<void> {
    const [one] = this.random.shuffled(await this.running());
    if (one === undefined) return;
    const { providerReference } = await this.world.show(one.subscriptionId);
    const action = this.random.oneOf(this.account.actions);
    const answer = await this.account.act(String(providerReference), action);
    this.note(`${action} of ${String(providerReference)} at the provider: ${answer}`);
    this.acted.add(one.subscriptionId);
    await this.pass(HOUR_MS);
  }

  /** Does the schedules' daily work: compares subscriptions with the provider and collects its payouts. */
  private async chores(): Promise<void> {
    this.note('the day’s comparison and collection');
    if (this.random.chance(0.7)) this.account.payOut(this.random.chance(0.3));
    await this.pass(DAY_MS);
    for (const { subscriptionId } of this.sold) {
      if (subscriptionId === '') continue;
      this.expected(
        await this.world.operator.get(`/api/billing/subscriptions/${subscriptionId}/drift`),
        'drift',
      );
    }
    const answer = await this.world.operator.post('/api/billing/settlements/collect', {
      body: {},
      headers: { 'Idempotency-Key': randomUUID() },
    });
    this.expected(answer, 'collection');
  }

  /** Ends the life: decides open disputes, settles refunds, cancels subscriptions and delivers late webhooks. */
  private async end(): Promise<void> {
    // In reality every day: disputes are found for some months after their opening.
    await this.chores();
    while (this.open.length > 0) await this.decide();
    await this.account.settleRefunds(true);
    await this.agree();
    for (const { subscriptionId } of await this.running()) {
      const answer = await this.world.command(subscriptionId, 'cancel');
      this.expected(answer, 'cancel');
    }
    await this.pass(40 * DAY_MS);
    await this.post.deliverHeld();
    for (let days = 0; days < 3; days += 1) {
      this.account.payOut(false);
      await this.chores();
    }
  }

  /** Compares the subscriptions with the provider's, once there was time to read what no webhook has said. */
  private async agree(): Promise<void> {
    for (let quarters = 0; quarters < 8; quarters += 1) await this.pass(6 * HOUR_MS);
    for (const { subscriptionId } of await this.running()) {
      if ((await this.drift(subscriptionId)) === '[]') continue;
      // What was done there without a webhook is read at the end of the period.
      if (this.acted.has(subscriptionId)) await this.untilAfter(subscriptionId);
      const differences = await this.drift(subscriptionId);
      if (differences === '[]') continue;
      throw new Error([`${subscriptionId} differs: ${differences}`, ...this.journal].join('\n'));
    }
  }

  private async drift(subscriptionId: string): Promise<string> {
    const drift = await this.world.operator.get(`/api/billing/subscriptions/${subscriptionId}/drift`);
    this.expected(drift, 'drift');
    const all = drift.body['differences'] as { field: string }[];
    return JSON.stringify(all.filter(({ field }) => !MADE_THERE.has(field)));
  }

  private refundable() {
    const all = this.account.books().payments;
    const [one] = this.random.shuffled(
      all.filter(({ amount, returned, isDisputed }) => returned < amount && !isDisputed),
    );
    return one;
  }

  private async running(): Promise<Sold[]> {
    const found: Sold[] = [];
    for (const one of this.sold) {
      if (one.subscriptionId === '') continue;
      const { status } = await this.world.show(one.subscriptionId);
      if (status === 'active' || status === 'past_due' || status === 'trialing') found.push(one);
    }
    return found;
  }

  private expected({ status, body }: ConsoleAnswer, what: string): void {
    if (EXPECTED.includes(status)) return;
    throw new Error([`${what}: ${status} ${JSON.stringify(body)}`, ...this.journal].join('\n'));
  }
}
