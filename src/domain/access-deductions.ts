import type { AccessSource, CreditBalance, Deduction } from './access-types';
import { heldByEntity, usedByEntity } from './entity-quota';

/**
 * Returns the sources and credits after the deductions of a granted decision, so that the next call of a batch is
 * decided on them. Returns new arrays in the same order; the arguments are not modified.
 */
export function applyDeductions<S extends AccessSource, C extends CreditBalance>(
  sources: readonly S[],
  credits: readonly C[],
  deductions: readonly Deduction[],
): { sources: S[]; credits: C[] } {
  const left = { sources: [...sources], credits: [...credits] };
  for (const deduction of deductions) {
    const at = left.sources.findIndex((source) => isCountedIn(source, deduction));
    const source = left.sources[at];
    if (source !== undefined) left.sources[at] = deductFromSource(source, deduction);
    if (deduction.from !== 'credits') continue;
    const grantAt = left.credits.findIndex((grant) => grant.grantId === deduction.grantId);
    const grant = left.credits[grantAt];
    if (grant !== undefined) {
      left.credits[grantAt] = { ...grant, remaining: grant.remaining - deduction.credits };
    }
  }
  return left;
}

/**
 * Returns the sources and credits after a reservation holds the deductions of a granted decision, or, with `sign` -1,
 * after it releases them. Nothing is used yet.
 */
export function applyHold<S extends AccessSource, C extends CreditBalance>(
  sources: readonly S[],
  credits: readonly C[],
  deductions: readonly Deduction[],
  sign: 1n | -1n,
): { sources: S[]; credits: C[] } {
  const left = { sources: [...sources], credits: [...credits] };
  for (const deduction of deductions) {
    const units = sign * deduction.quantity;
    const at = left.sources.findIndex((source) => isCountedIn(source, deduction));
    const source = left.sources[at];
    if (source !== undefined) {
      left.sources[at] = {
        ...carriedLess(source, deduction, sign),
        reservedQuota: source.reservedQuota + (deduction.from === 'quota' ? units : 0n),
        reserved: source.reserved + units,
        entity: source.entity === null ? null : heldByEntity(source.entity, deduction, units),
      };
    }
    if (deduction.from !== 'credits') continue;
    const grantAt = left.credits.findIndex((grant) => grant.grantId === deduction.grantId);
    const grant = left.credits[grantAt];
    if (grant !== undefined)
      left.credits[grantAt] = { ...grant, reserved: grant.reserved + sign * deduction.credits };
  }
  return left;
}

/** Whether the deduction belongs to the source's usage period. */
export function isCountedIn(
  { subscriptionId, period }: Pick<AccessSource, 'subscriptionId' | 'period'>,
  deduction: Pick<Deduction, 'subscriptionId' | 'periodStart'>,
): boolean {
  return subscriptionId === deduction.subscriptionId && period.start === deduction.periodStart;
}

function deductFromSource<S extends AccessSource>(source: S, deduction: Deduction): S {
  const ofQuota = deduction.from === 'quota' ? deduction.quantity : 0n;
  return {
    ...carriedLess(source, deduction, 1n),
    quotaUsed: source.quotaUsed + ofQuota,
    used: source.used + deduction.quantity,
    entity: source.entity === null ? null : usedByEntity(source.entity, deduction, deduction.quantity),
  };
}

/** Reduces the units that earlier usage periods carry over to the source, if the deduction takes from those. */
function carriedLess<S extends AccessSource>(source: S, deduction: Deduction, sign: 1n | -1n): S {
  if (deduction.from !== 'rollover') return source;
  const units = sign * deduction.quantity;
  const { carried, carriedLimit } = source;
  const left = carried.map((one) =>
    one.periodStart === deduction.originStart ? { ...one, remaining: one.remaining - units } : one,
  );
  return { ...source, carried: left, carriedLimit: carriedLimit === null ? null : carriedLimit - units };
}
