import type { AccessSource, CreditBalance, Deduction } from './access-types';

/**
 * What is left after the deductions of a granted decision, so that the next call of a batch is decided on it.
 * Returns new arrays in the same order; the arguments stay as they are.
 */
export function applyDeductions<S extends AccessSource, C extends CreditBalance>(
  sources: readonly S[],
  credits: readonly C[],
  deductions: readonly Deduction[],
): { sources: S[]; credits: C[] } {
  const left = { sources: [...sources], credits: [...credits] };
  for (const deduction of deductions) {
    const at = left.sources.findIndex((source) => source.subscriptionId === deduction.subscriptionId);
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

function deductFromSource<S extends AccessSource>(source: S, deduction: Deduction): S {
  const ofQuota = deduction.from === 'quota' ? deduction.quantity : 0n;
  return {
    ...source,
    quotaUsed: source.quotaUsed + ofQuota,
    used: source.used + deduction.quantity,
  };
}
