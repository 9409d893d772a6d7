/** Shorter than the test's own time-out, which would not say what was waited for. */
export const PATIENCE_MS = 600_000;

/** Resolves once the condition holds; after ten minutes it fails with an error that shows the condition. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`It never was so: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
