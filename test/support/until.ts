/** Below the test's own time-out, which does not say what was waited for. */
export const PATIENCE_MS = 600_000;

/** Resolves once the condition holds; what does not hold within ten minutes fails with the place that waits. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`It never was so: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
