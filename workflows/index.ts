import './short-stack-traces';

/** The workflows that the billing worker runs; the exported names are their types in Temporal. */
export { checkout } from './checkout';
export { credentialMigration } from './credential-migration';
export { customerErasure } from './customer-erasure';
export { driftReport } from './drift-report';
export { nextWakeSweep } from './next-wake-sweep';
export { refund } from './refund';
export { reschedule } from './reschedule';
export { settlementPoll } from './settlement-poll';
export { subscription } from './subscription';
