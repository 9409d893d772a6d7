import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Instant } from '../src/domain/instant';

/** The single timer of a run. It survives commands and signals as long as its instant is unchanged. */
export class WakeTimer {
  private rings: { at: Instant; scope: CancellationScope } | undefined;
  private rung = false;

  /** Sets the instant at which the run wakes (real time). */
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
        // Another timer replaced it, or the whole workflow is cancelled, which its main function learns on its own.
        if (!isCancellation(error)) throw error;
      });
  }

  /** Returns whether it has rung since it was last set. */
  hasFired(): boolean {
    return this.rung;
  }
}
