/** The longest press that is waited for: a lost release must not stop the page. */
const LONGEST_MS = 5_000;
/** The longest time between the release of a touch and its click. */
const CLICK_MS = 300;

/** What waits for the end of the press; null if nothing is pressed. */
let waiting: (() => void)[] | null = null;
let timer: number | undefined;

/**
 * Runs what changes the page: in a microtask, or, while the pointer presses something, after its click. A click goes to
 * what the pointer has both pressed and released. If the page moved in between, there would be no click, or one on
 * something else.
 */
export function afterPress(run: () => void): void {
  if (waiting === null) queueMicrotask(run);
  else waiting.push(run);
}

function begin({ button }: PointerEvent): void {
  // The release of another button may go to the browser's menu.
  if (button !== 0) return;
  waiting ??= [];
  endIn(LONGEST_MS);
}

function endIn(ms: number): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(end, ms);
}

function end(): void {
  window.clearTimeout(timer);
  const runs = waiting ?? [];
  waiting = null;
  for (const run of runs) queueMicrotask(run);
}

window.addEventListener('pointerdown', begin, true);
window.addEventListener('pointerup', () => waiting !== null && endIn(CLICK_MS), true);
// After the click's own handlers, with what they change.
window.addEventListener('click', end);
// One whose propagation is stopped gets no further than here, before its own handlers.
window.addEventListener('click', () => waiting !== null && endIn(0), true);
// A press with the Ctrl key on a Mac, or a long one of a touch, opens a menu and may end without a release and a click.
window.addEventListener('contextmenu', end, true);
window.addEventListener('pointercancel', end, true);
window.addEventListener('blur', end);
