import type Router from '@koa/router';
import { writeAmount } from './amounts';
import { accountOf } from './authentication';
import { answer, notFound } from './problem';
import type { Simulation } from './state';
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
      billing_cycles: [
        {
          tenure_type: 'REGULAR',
          sequence: 1,
          total_cycles: plan.totalCycles,
          frequency: { interval_unit: plan.interval.unit, interval_count: plan.interval.count },
          pricing_scheme: { version: 1, fixed_price: writeAmount(plan.price) },
        },
      ],
      links: [{ href: `${ownAddress(ctx)}/v1/billing/plans/${plan.id}`, rel: 'self', method: 'GET' }],
    });
  });
}
