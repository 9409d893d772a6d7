import type Router from '@koa/router';
import { writeAmount } from './amounts';
import { accountOf } from './authentication';
import { answer, notFound } from './problem';
import type { Plan, Simulation } from './state';
import { ownAddress } from './own-address';

/** `GET /v1/billing/plans/{id}` */
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
