import { decimalFromNumber, formatDecimal } from '../domain/decimal';
import { TollgateError, type FieldProblem } from '../domain/errors';
import type { EntitlementTerms } from './entitlement-store';

/** Terms as requests carry them; `quota` is omitted or null for unlimited. */
export interface EntitlementTermsInput {
  quota?: number | null | undefined;
  perSeat: boolean;
  resetInterval: EntitlementTerms['resetInterval'];
  enforcement: EntitlementTerms['enforcement'];
  creditCost: number | null;
  rollover: RolloverInput | null;
  entityQuota: number | null;
  /** Percentages of the quota to notify; null: the workspace's. */
  alertPercents: number[] | null;
}

/** How unused quota rolls over: for how many periods, how much of it, and whether it is used first. */
interface RolloverInput {
  periods: number;
  max: number | null;
  use: 'first' | 'last';
}

/**
 * Returns the terms to store. A metered feature's quota must be stated, because omitting it could mean none or
 * unlimited. A boolean feature has neither quota nor credit cost, and seats do not multiply it.
 *
 * @throws TollgateError validation_failed
 */
export function termsFor(
  feature: { key: string; kind: 'metered' | 'boolean' },
  input: EntitlementTermsInput,
): EntitlementTerms {
  const errors = feature.kind === 'metered' ? problemsOfMetered(input) : problemsOfBoolean(input);
  const first = errors[0];
  if (first !== undefined) {
    throw new TollgateError(
      'validation_failed',
      `"${feature.key}" is a ${feature.kind} feature: ${first.message}.`,
      {
        errors,
      },
    );
  }
  return columnsOf(input);
}

/** Returns terms in the form in which they are stored, unchecked. */
export function columnsOf(input: EntitlementTermsInput): EntitlementTerms {
  return {
    quota: toDecimalText(input.quota ?? null),
    perSeat: input.perSeat,
    resetInterval: input.resetInterval,
    enforcement: input.enforcement,
    creditCost: toDecimalText(input.creditCost),
    rolloverPeriods: input.rollover?.periods ?? 0,
    rolloverMax: toDecimalText(input.rollover?.max ?? null),
    rolloverFirst: input.rollover?.use === 'first',
    entityQuota: toDecimalText(input.entityQuota),
    alertPercents: input.alertPercents,
  };
}

function problemsOfMetered(input: EntitlementTermsInput): FieldProblem[] {
  if (input.quota === undefined) {
    return [
      { pointer: '/quota', message: 'the quota is missing', fix: 'Send a number, or null for unlimited.' },
    ];
  }
  if (input.rollover === null) return [];
  // A PATCH that leaves it out keeps it.
  const fix = 'Send null for `rollover`.';
  if (input.quota === null)
    return [{ pointer: '/rollover', message: 'an unlimited quota has no unused units', fix }];
  if (input.resetInterval === 'never')
    return [{ pointer: '/rollover', message: 'a quota that never resets has no next period', fix }];
  return [];
}

function problemsOfBoolean(input: EntitlementTermsInput): FieldProblem[] {
  const fix = 'Leave it out.';
  const errors: FieldProblem[] = [];
  if ((input.quota ?? null) !== null) errors.push({ pointer: '/quota', message: 'it has no quota', fix });
  if (input.creditCost !== null) errors.push({ pointer: '/creditCost', message: 'it costs no credits', fix });
  if (input.entityQuota !== null) errors.push({ pointer: '/entityQuota', message: 'it has no quota', fix });
  if (input.rollover !== null) errors.push({ pointer: '/rollover', message: 'it has no quota', fix });
  if (input.alertPercents !== null)
    errors.push({ pointer: '/alertPercents', message: 'it has no quota', fix });
  if (input.perSeat) errors.push({ pointer: '/perSeat', message: 'seats do not multiply it', fix });
  return errors;
}

function toDecimalText(value: number | null): string | null {
  return value === null ? null : formatDecimal(decimalFromNumber(value));
}
