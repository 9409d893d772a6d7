/** Shorter than the test's own time-out, which would not say what was waited for. */
export const TIMEOUT_MS = 600_000;

/**
 * Resolves once the condition holds; after ten minutes it fails with an error that says what was last so: by default
 * the condition.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  last: () => string = () => condition.toString(),
): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() - begun > TIMEOUT_MS) throw new Error(`It never was so: ${last()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
