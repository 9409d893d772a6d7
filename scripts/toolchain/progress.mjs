const interactive = process.stderr.isTTY === true;

export function log(text) {
  process.stderr.write(`${text}\n`);
}

/** Milliseconds as seconds with one decimal. */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Says what takes long, and while it lasts that it still does.
 *
 * @param what a sentence's beginning, such as "Installing packages (about a minute)"
 */
export async function progress(what, work) {
  const start = performance.now();
  log(`${what} …`);
  const timer = setInterval(
    () => log(`${what} … ${Math.round((performance.now() - start) / 1000)} s`),
    interactive ? 15_000 : 30_000,
  );
  try {
    const result = await work();
    log(`${what}: done in ${seconds(performance.now() - start)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
