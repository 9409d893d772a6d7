import { repairHandler } from '../drift/repair-handler';
import { recordPaymentHandler } from '../payments/record-payment';
import { cancelSubscription } from '../subscriptions/cancel-subscription';
import { changeSubscription } from '../subscriptions/change-subscription';
import { reactivateSubscription } from '../subscriptions/reactivate-subscription';
import { withdrawScheduledChange } from '../subscriptions/withdraw-scheduled-change';
import type { OperationHandlers } from '../subscriptions/operation-handler';

/** Handlers that evaluate and carry out each kind of command. */
export const operationHandlers: OperationHandlers = {
  cancel: cancelSubscription,
  reactivate: reactivateSubscription,
  change: changeSubscription,
  withdraw_scheduled_change: withdrawScheduledChange,
  record_payment: recordPaymentHandler,
  repair: repairHandler,
};
