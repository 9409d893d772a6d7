import type { PaymentFacts, ReferenceKind } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { readOutcome } from './outcomes';
import { captureFacts, orderFacts, saleFacts } from './payment-facts';
import { captureObject, orderObject, saleObject } from './schemas';

/** Fetches a capture, an order (its capture, if there is one), or a subscription's payment (kind `payment`). */
export async function fetchPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  kind: ReferenceKind,
  reference: string,
): Promise<Outcome<PaymentFacts>> {
  switch (kind) {
    case 'capture':
      return readOutcome(async () =>
        captureFacts(await client.get(access, pathOf('/v2/payments/captures/', reference), captureObject)),
      );
    case 'order':
      return readOutcome(async () =>
        orderFacts(await client.get(access, pathOf('/v2/checkout/orders/', reference), orderObject)),
      );
    case 'payment':
      return readOutcome(async () =>
        saleFacts(await client.get(access, pathOf('/v1/payments/sale/', reference), saleObject)),
      );
    default:
      return { kind: 'unsupported', reason: `Provider B has no payments that are named by a ${kind}.` };
  }
}
