import type { z } from 'zod';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { runOnce, type Claim } from '../idempotency/idempotency-store';
import type { CommandSender } from '../operations/command-sender';
import { submitCommand } from '../operations/submit-command';
import type { SubmitResult } from '../operations/submit-result';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import type { PlanPrices } from '../plan-prices/plan-price-service';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import type { CreateCheckoutInput, listCheckoutsQuery } from './checkout-input';
import { type CheckoutResource, readCheckout, resourceMapper } from './checkout-resource';
import { listCheckouts } from './checkout-store';
import { routeCheckout } from './route-checkout';
import { createCheckout } from './create-checkout';
import { cancelCheckout } from './cancel-checkout';

/** Checkouts: customers start a subscription by paying for it, or pay a one-time amount. */
export interface Checkouts {
  /** Lists checkouts, newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listCheckoutsQuery>): Promise<Page<CheckoutResource>>;
  /** @throws TollgateError checkout_not_found */
  get(actor: Actor, id: string): Promise<CheckoutResource>;
  /**
   * Creates a checkout once for the claim: in local billing in one transaction, at a payment provider as a command on a
   * workflow of its own.
   *
   * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists, validation_failed; at
   *   a provider also connection_not_found, connection_disabled, connection_ambiguous, plan_not_mapped,
   *   plan_price_differs, capability_unsupported, payment_declined, provider_refused, temporal_unavailable,
   *   service_busy; checkout_not_open if the customer was given a later one, or it expired, before it was created
   */
  create(actor: Actor, input: CreateCheckoutInput, claim: Claim): Promise<SubmitResult>;
  /**
   * Gives up an unpaid checkout. An expired one is unchanged. One at a payment provider stays `open` until the provider
   * has said whether it was paid; it is then ended there automatically.
   *
   * @throws TollgateError checkout_not_found, checkout_not_open when it is complete
   */
  expire(actor: Actor, id: string): Promise<CheckoutResource>;
}

interface Options {
  database: Database;
  clock: Clock;
  cursorSecret: string;
  commands: CommandSender;
  planPrices: Pick<PlanPrices, 'requireSame'>;
  /** The public addresses of the API's hosts. */
  urls: Record<Environment, string>;
}

export function createCheckouts(options: Options): Checkouts {
  const { database, cursorSecret, urls, planPrices } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const list = { secret: cursorSecret, scope, list: 'checkouts', filters, take, cursor, from, to };
        const page = await pageByCreation(list, (part) =>
          listCheckouts(trx, scope, { ...omitUndefined(filters), ...part }),
        );
        return mapPage(page, await resourceMapper(trx, scope, page.data));
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, (trx) => readCheckout(trx, scope, id)),

    async create(actor, input, claim) {
      const { scope, reason } = actor;
      const returnPage = `${urls[scope.environment]}/checkout/return`;
      const way = await inWorkspace(database, scope, reason, (trx) =>
        routeCheckout(trx, actor, input, claim, returnPage),
      );
      if (way.kind === 'answered') return way;
      if (way.kind === 'command') {
        // Fails early, before anything is written; the price is compared again before the provider is asked.
        if (way.sale !== null) await planPrices.requireSame(actor, way.sale.connectionId, way.sale.plan);
        return submitCommand(options, actor, way.command, claim);
      }
      const answer = await inWorkspaceFor(database, actor, (trx) =>
        runOnce(trx, scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: await readCheckout(trx, scope, await createCheckout(trx, actor, input)),
        })),
      );
      return { kind: 'answered', answer };
    },

    expire: (actor, id) => cancelCheckout(options, actor, id),
  };
}
