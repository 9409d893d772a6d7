/** The workflows that the billing worker runs; their names here are their types in Temporal. */
export { nextWakeSweep } from './next-wake-sweep';
export { subscription } from './subscription';
