import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Instant } from '../src/domain/instant';

/** The one timer of a run, which is kept over commands and signals for as long as its instant stays. */
export class WakeTimer {
  private rings: { at: Instant; scope: CancellationScope } | undefined;
  private rung = false;

  /** Has the run wake at an instant (real time). */
  wakeBy(at: Instant, why: string): void {
    this.rung = false;
    if (this.rings?.at === at) return;
    this.rings?.scope.cancel();
    const scope = new CancellationScope();
    this.rings = { at, scope };
    const ring = (): void => {
      if (this.rings?.scope !== scope) return;
      this.rings = undefined;
      this.rung = true;
    };
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: why }))
      .then(ring, (error: unknown) => {
        // Another timer took its place, or the whole workflow is cancelled, which its main function hears of itself.
        if (!isCancellation(error)) throw error;
      });
  }

  /** Whether it has rung since it was last set. */
  hasRung(): boolean {
    return this.rung;
  }
}
