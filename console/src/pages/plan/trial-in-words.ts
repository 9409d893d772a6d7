import { timeInWords } from '../../../../src/domain/plan-price-comparison.ts';

/** How long a plan's trial is: `14 days`. */
export function trialInWords(days: number): string {
  return days === 0 ? 'none' : timeInWords({ unit: 'day', count: days });
}
