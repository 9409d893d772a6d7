import { z } from 'zod';
import type { Environment } from '../../domain/environment';
import { ipPrefix } from '../../operators/ip-prefix';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

/** Nothing on it loads or leads anywhere: the address may carry a payment provider's tokens. */
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
<p>The payment provider has sent you back. If you have paid, the merchant learns of it by itself; there is nothing more to do here.</p>
</main>
</body>
</html>
`;

/** Longer than any id, and short enough for a path. */
const segment = z.string().max(200);

const PAGE_RESPONSE = { description: 'The page', contentType: 'text/html', schema: z.string() };

/**
 * `/checkout/return`: where customers go after a payment provider's page, unless a checkout names a place of its own.
 *
 * @param environment the host's
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
      summary: 'Say that the window can be closed, and read a past-due subscription at its provider',
      description:
        'Where to have a payment provider send a customer who was to pay for a past-due subscription, or what your own page for such customers requests: the subscription is read at its provider at once, at most once a minute. Nobody has to prove who they are, and the page is the same whether there was anything to read or not.',
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
      summary: 'Say that the window can be closed',
      description:
        'A page for customers whom a payment provider sends back, where the checkout and its connection name no address of their own. It needs no script, and ignores what the provider adds to the address.',
      tag: 'Checkouts',
      access: 'public',
      query: z.looseObject({}),
      responses: { 200: PAGE_RESPONSE },
      handle: () => Promise.resolve({ status: 200, body: PAGE, headers: HEADERS }),
    }),
  ];
}
