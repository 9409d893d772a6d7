import type { Decimal } from '../domain/decimal';
import type { DatedUse, HeldUse } from './look-back';
import type { EntityAsk } from './look-up-entities';
import type { NamedReservations } from './named-reservations';
import type { PairState } from './pair-state';
import { hasUnread } from './unread-of-pair';
import type { UsageCall } from './usage-call';
import type { UsageState } from './usage-state';

/**
 * Returns the uses for which more than the context may have to be read: uses with a timestamp, and pairs whose latest
 * counters are not the current ones.
 */
export function datedUses(state: UsageState, calls: readonly UsageCall[]): DatedUse[] {
  const uses: Omit<DatedUse, 'units'>[] = [];
  for (const call of calls) {
    const pair = call.timestamp === null ? undefined : state.find(call);
    if (pair !== undefined && call.timestamp !== null) uses.push({ state: pair, at: call.timestamp });
  }
  for (const pair of state.all()) {
    if (hasUnread(pair)) uses.push({ state: pair, at: state.decidedAt });
  }
  if (uses.length === 0) return [];
  const units = new Map<PairState | undefined, Decimal>();
  for (const call of calls) {
    const pair = state.find(call);
    units.set(pair, (units.get(pair) ?? 0n) + call.quantity);
  }
  return uses.map((use) => ({ ...use, units: units.get(use.state) ?? 0n }));
}

/** Returns the uses for which units are held, which may belong to a usage period that is over. */
export function heldUses(
  state: UsageState,
  calls: readonly UsageCall[],
  reservations: NamedReservations,
): HeldUse[] {
  return calls.flatMap((call) => {
    const pair = call.reservationId === null ? undefined : state.find(call);
    if (pair === undefined) return [];
    const held = reservations.heldFor(call, pair);
    return 'code' in held ? [] : [{ state: pair, deductions: held }];
  });
}

/** Returns the uses that name entities, and the sources that each is decided on. */
export function entityAsks(
  state: UsageState,
  calls: readonly UsageCall[],
  reservations: NamedReservations,
): EntityAsk[] {
  return calls.flatMap((call) => {
    const entity = reservations.entityOf(call);
    const pair = entity === null ? undefined : state.find(call);
    if (pair === undefined || entity === null) return [];
    const held = reservations.heldFor(call, pair);
    const { sources } = pair.at(call.timestamp);
    return [{ state: pair, entity, sources, held: 'code' in held ? [] : held }];
  });
}
