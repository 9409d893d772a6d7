import type { RepairHandler } from '../subscriptions/commands/operation-handler';
import { applyRepair, endMissing } from './apply-repair';
import { prepareRepair } from './prepare-repair';

/** The command `repair`: it settles a difference between a subscription and its provider. */
export const repairHandler: RepairHandler = { run: endMissing, prepare: prepareRepair, apply: applyRepair };
