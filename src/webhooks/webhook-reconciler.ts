import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import { applyReading } from './apply-reading';
import { importDispute, importPayment, importRefund } from './import-payment';
import { recordRenewal } from './reconcile/subscription-event';
import { replayUnmatched } from './replay-unmatched';

/** The reconciler for features that `src/webhooks` depends on, which apply readings of a provider. */
export const reconciler: Reconciler = {
  applyReading,
  recordRenewal,
  replayUnmatched,
  importPayment,
  importRefund,
  importDispute,
};
