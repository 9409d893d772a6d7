import type { Reconciler } from '../subscriptions/at-provider/reconciler';
import { applyReading } from './apply-reading';
import { importDispute, importPayment } from './import-payment';
import { replayUnmatched } from './replay-unmatched';

/** How features below webhooks apply what they read at a provider. */
export const reconciler: Reconciler = { applyReading, replayUnmatched, importPayment, importDispute };
