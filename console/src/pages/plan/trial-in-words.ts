import { timeInWords } from '../../../../src/domain/plan-price-comparison.ts';

/** Describes the length of a plan's trial: `14 days`. */
export function trialInWords(days: number): string {
  return days === 0 ? 'none' : timeInWords({ unit: 'day', count: days });
}
