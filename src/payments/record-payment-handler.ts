import type { OperationHandler } from '../subscriptions/commands/operation-handler';
import { fromStoredInput } from './payment-input';
import { toPaymentResource } from './payment-resource';
import { recordPayment } from './record-payment';

/** The command `record_payment`: a payment that may move its subscription's state. */
export const recordPaymentHandler: OperationHandler = async (trx, { operation, actor }, subscription) => {
  const input = fromStoredInput(operation.input);
  const { payment, subscription: after } = await recordPayment(trx, actor, subscription, input);
  return { status: 201, body: toPaymentResource(payment), subscription: after };
};
