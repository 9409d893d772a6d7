import { z } from 'zod';
import type { Environment } from '../../domain/environment';
import { ipPrefix } from '../../operators/ip-prefix';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

/** The page loads and links to nothing, because its address may carry a payment provider's tokens. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You can close this window</title>
</head>
<body>
<main>
<h1>You can close this window</h1>
<p>Thank you. If you have paid, the merchant is notified automatically. There is nothing more to do here.</p>
</main>
</body>
</html>
`;

/** Longer than any id, and short enough for a path. */
const segment = z.string().max(200);

const PAGE_RESPONSE = { description: 'The page', contentType: 'text/html', schema: z.string() };

/**
 * `/checkout/return`: where customers return from a payment provider's page, unless a checkout names its own address.
 *
 * @param environment of the host
 */
export function checkoutReturnRoutes(
  { returnRedirect }: Pick<Services, 'returnRedirect'>,
  environment: Environment,
): Route[] {
  return [
    route({
      method: 'get',
      path: '/checkout/return/{workspaceId}/{subscriptionId}',
      operationId: 'returnFromPayment',
      summary: 'Show the return page, and check a past-due subscription at its provider',
      description:
        'Send customers here after they pay for a past-due subscription, or request it from your own page: the subscription is checked at its provider at once, at most once a minute. Needs no authentication, and the page is the same whether or not there is such a subscription.',
      tag: 'Checkouts',
      access: 'public',
      params: z.strictObject({ workspaceId: segment, subscriptionId: segment }),
      query: z.looseObject({}),
      responses: { 200: PAGE_RESPONSE },
      handle: async ({ params: { workspaceId, subscriptionId }, ip }) => {
        await returnRedirect.returned({ workspaceId, environment }, subscriptionId, ipPrefix(ip));
        return { status: 200, body: PAGE, headers: HEADERS };
      },
    }),
    route({
      method: 'get',
      path: '/checkout/return',
      operationId: 'returnFromCheckout',
      summary: 'Show the return page',
      description:
        'The default page for customers who return from a payment provider, where neither the checkout nor its connection has a return URL. It needs no script and ignores the provider’s query parameters.',
      tag: 'Checkouts',
      access: 'public',
      query: z.looseObject({}),
      responses: { 200: PAGE_RESPONSE },
      handle: () => Promise.resolve({ status: 200, body: PAGE, headers: HEADERS }),
    }),
  ];
}
