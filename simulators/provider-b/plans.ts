import type Router from '@koa/router';
import { z } from 'zod';
import { DAY_MS } from '../../src/domain/instant';
import { readAmount, writeAmount, type Amount } from './amounts';
import { accountOf } from './authentication';
import { answer, notFound, unprocessable } from './problem';
import { readRequest } from './requests';
import type { Plan, Simulation } from './state';
import { ownAddress } from './own-address';

const pricesRequest = z.strictObject({
  pricing_schemes: z.tuple([
    z.strictObject({
      billing_cycle_sequence: z.number().int().min(1).max(99),
      pricing_scheme: z.strictObject({
        fixed_price: z.strictObject({ value: z.string().max(32), currency_code: z.string().length(3) }),
      }),
    }),
  ]),
});

/** Subscribers are told of a new price this long before it is charged. */
const NOTICE_MS = 10 * DAY_MS;

/** Returns the price of a plan's regular cycle for a payment that is due then. */
export function priceDueAt({ price, formerPrices = [] }: Plan, due: number): Amount {
  return formerPrices.find(({ until }) => due < until + NOTICE_MS)?.price ?? price;
}

/** `GET /v1/billing/plans/{id}` and `POST …/update-pricing-schemes`, which changes the price of every subscriber. */
export function planRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/billing/plans/:id', (ctx) => {
    const plan = accountOf(simulation, ctx).plans.get(ctx.params['id'] ?? '');
    if (plan === undefined) throw notFound();
    answer(ctx, 200, {
      id: plan.id,
      product_id: plan.productId,
      name: plan.name,
      status: plan.status,
      usage_type: 'LICENSED',
      quantity_supported: plan.quantitySupported,
      billing_cycles: billingCycles(plan),
      payment_preferences: {
        service_type: 'PREPAID',
        auto_bill_outstanding: plan.billsOutstanding ?? true,
        setup_fee: writeAmount(plan.setupFee ?? { ...plan.price, minor: 0n }),
        setup_fee_failure_action: 'CANCEL',
        payment_failure_threshold: plan.failureThreshold ?? 1,
      },
      taxes: plan.taxes ?? { percentage: '0.0', inclusive: false },
      links: [{ href: `${ownAddress(ctx)}/v1/billing/plans/${plan.id}`, rel: 'self', method: 'GET' }],
    });
  });
  router.post('/v1/billing/plans/:id/update-pricing-schemes', async (ctx) => {
    const plan = accountOf(simulation, ctx).plans.get(ctx.params['id'] ?? '');
    const { body } = await readRequest(ctx, pricesRequest);
    if (plan === undefined) throw notFound();
    const [{ billing_cycle_sequence: sequence, pricing_scheme: scheme }] = body.pricing_schemes;
    changePrice(plan, sequence, readAmount(scheme.fixed_price), simulation.core.clock.now());
    ctx.status = 204;
  });
}

/** @throws ProviderProblem INVALID_BILLING_CYCLE_SEQUENCE, CURRENCY_MISMATCH */
function changePrice(plan: Plan, sequence: number, price: Amount, now: number): void {
  if (sequence !== (plan.trial === undefined ? 1 : 2)) {
    throw unprocessable('INVALID_BILLING_CYCLE_SEQUENCE', 'The plan has no such regular billing cycle.');
  }
  if (price.currency !== plan.price.currency) {
    throw unprocessable('CURRENCY_MISMATCH', 'The currency differs from that of the plan.');
  }
  plan.formerPrices = [...(plan.formerPrices ?? []), { price: plan.price, until: now }];
  plan.price = price;
}

function billingCycles(plan: Plan): object[] {
  const { trial, interval, pricingModel, totalCycles } = plan;
  const price = writeAmount(plan.price);
  const scheme = { version: 1, create_time: CREATED, update_time: CREATED };
  const regular = {
    tenure_type: 'REGULAR',
    sequence: trial === undefined ? 1 : 2,
    total_cycles: totalCycles,
    frequency: { interval_unit: interval.unit, interval_count: interval.count },
    pricing_scheme:
      pricingModel === undefined
        ? { ...scheme, fixed_price: price }
        : { ...scheme, pricing_model: pricingModel, tiers: [{ starting_quantity: '1', amount: price }] },
  };
  if (trial === undefined) return [regular];
  const before = {
    tenure_type: 'TRIAL',
    sequence: 1,
    total_cycles: 1,
    frequency: { interval_unit: 'DAY', interval_count: trial.days },
    pricing_scheme: { ...scheme, fixed_price: writeAmount(trial.price ?? { ...plan.price, minor: 0n }) },
  };
  return [before, regular];
}

const CREATED = '2026-01-01T00:00:00Z';
