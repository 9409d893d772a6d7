import type { ChangePlan } from '../domain/plan-change';

/** History kinds of a change that took effect, by its direction. */
export const changeKind = {
  upgrade: 'upgraded',
  downgrade: 'downgraded',
  seat_increase: 'seats_increased',
  seat_decrease: 'seats_decreased',
} as const satisfies Record<ChangePlan['direction'], string>;
