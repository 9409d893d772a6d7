import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { namedCall } from '../core/named-call';
import { readAmount } from './amounts';
import { accountOf } from './authentication';
import { captureOrder } from './captures';
import { newId } from './identifiers';
import { orderObject } from './order-objects';
import { ownAddress } from './own-address';
import { answer, invalidRequest, notFound, unprocessable } from './problem';
import { onceForRequestId, readRequest, REQUEST_ID_LIVES, wantsRepresentation } from './requests';
import type { Account, Order, Simulation } from './state';
import { HOUR_MS } from '../../src/domain/instant';

const returnUrls = {
  return_url: z.url().optional(),
  cancel_url: z.url().optional(),
  brand_name: z.string().max(127).optional(),
  locale: z.string().max(10).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
};
const experienceContext = z.strictObject({
  ...returnUrls,
  landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE']).optional(),
  payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
});
const createOrder = z.strictObject({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z
    .array(
      z.strictObject({
        reference_id: z.string().min(1).max(256).optional(),
        custom_id: z.string().min(1).max(255).optional(),
        invoice_id: z.string().min(1).max(127).optional(),
        // The original's limit is one of ASCII characters, and other characters count as their bytes.
        description: z
          .string()
          .min(1)
          .refine(
            (text) => Buffer.byteLength(text) <= 127,
            'The value of a field is either too short or too long.',
          )
          .optional(),
        amount: z.strictObject({ currency_code: z.string().length(3), value: z.string().max(32) }),
      }),
    )
    .min(1)
    .max(10),
  payment_source: z
    .strictObject({ paypal: z.strictObject({ experience_context: experienceContext.optional() }) })
    .optional(),
  application_context: z
    .strictObject({ ...returnUrls, landing_page: z.enum(['LOGIN', 'BILLING', 'NO_PREFERENCE']).optional() })
    .optional(),
});

const renderOrder = namedCall('b.order', orderObject);

/** Time after which an unapproved order expires. */
const ORDER_LIFE_MS = 3 * HOUR_MS;

/** `/v2/checkout/orders`: create, read, capture. */
export function orderRoutes(simulation: Simulation, router: Router): void {
  router.post('/v2/checkout/orders', async (ctx) => {
    const account = accountOf(simulation, ctx);
    const { body, raw } = await readRequest(ctx, createOrder);
    if (body.intent !== 'CAPTURE') {
      throw unprocessable('INTENT_NOT_SUPPORTED', 'This simulator knows the intent CAPTURE only.');
    }
    if (body.payment_source !== undefined && ctx.get('PayPal-Request-Id') === '') {
      throw invalidRequest([
        {
          field: 'PayPal-Request-Id',
          location: 'header',
          issue: 'PAYPAL_REQUEST_ID_REQUIRED',
          description: 'A PayPal-Request-Id is required if you are trying to process payment for an Order.',
        },
      ]);
    }
    const full = wantsRepresentation(ctx);
    const { status, body: made } = onceForRequestId(
      simulation,
      account,
      ctx,
      { raw, life: REQUEST_ID_LIVES.order },
      () => {
        const order = newOrder(body, simulation.core.clock.now());
        account.orders.set(order.id, order);
        return renderOrder(ownAddress(ctx), account, order, full);
      },
    );
    answer(ctx, status, made);
  });

  router.get('/v2/checkout/orders/:id', (ctx) => {
    const account = accountOf(simulation, ctx);
    answer(
      ctx,
      200,
      orderObject(ownAddress(ctx), account, findOrder(simulation, account, ctx.params['id']), true),
    );
  });

  router.post('/v2/checkout/orders/:id/capture', (ctx) => capture(simulation, ctx));
}

async function capture(simulation: Simulation, ctx: Context): Promise<void> {
  const account = accountOf(simulation, ctx);
  const { raw } = await readRequest(ctx, z.strictObject({}), {});
  const order = findOrder(simulation, account, (ctx['params'] as { id?: string }).id);
  const full = wantsRepresentation(ctx);
  const { status, body } = onceForRequestId(
    simulation,
    account,
    ctx,
    { raw, life: REQUEST_ID_LIVES.order },
    () => {
      captureOrder(simulation, account, order);
      return renderOrder(ownAddress(ctx), account, order, full);
    },
  );
  answer(ctx, status, body);
}

/** @throws ProviderProblem RESOURCE_NOT_FOUND, also for an expired order */
export function findOrder({ core }: Simulation, account: Account, id: string | undefined): Order {
  const order = account.orders.get(id ?? '');
  const open = order?.status === 'CREATED' || order?.status === 'PAYER_ACTION_REQUIRED';
  if (order === undefined || (open && order.createdAt + ORDER_LIFE_MS < core.clock.now())) throw notFound();
  return order;
}

function newOrder(body: z.infer<typeof createOrder>, now: number): Order {
  const context = body.payment_source?.paypal.experience_context ?? body.application_context;
  const hasPaymentSource = body.payment_source !== undefined;
  return {
    id: newId(),
    status: hasPaymentSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    units: body.purchase_units.map((unit, index) => ({
      referenceId: unit.reference_id ?? (index === 0 ? 'default' : newId(8)),
      customId: unit.custom_id,
      invoiceId: unit.invoice_id,
      description: unit.description,
      amount: readAmount(unit.amount),
    })),
    instrument: 'wallet',
    payerId: null,
    createdAt: now,
    returnUrl: context?.return_url,
    cancelUrl: context?.cancel_url,
    hasPaymentSource,
    captures: [],
  };
}
