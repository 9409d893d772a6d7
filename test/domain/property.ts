/** Properties always run on the same cases, so that a failure is a broken promise and never bad luck. */
export function cases(numRuns: number): { seed: number; numRuns: number } {
  return { seed: 20_260_131, numRuns };
}
