/** How long a plan's trial is: `14 days`. */
export function trialInWords(days: number): string {
  if (days === 0) return 'none';
  return days === 1 ? '1 day' : `${days} days`;
}
