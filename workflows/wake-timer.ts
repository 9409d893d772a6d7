import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Instant } from '../src/domain/instant';

/** The single timer of a run. It survives commands and signals as long as its instant is unchanged. */
export class WakeTimer {
  private pending: { at: Instant; scope: CancellationScope } | undefined;
  private fired = false;

  /** Sets the instant at which the run wakes (real time). */
  wakeBy(at: Instant, why: string): void {
    this.fired = false;
    if (this.pending?.at === at) return;
    this.pending?.scope.cancel();
    const scope = new CancellationScope();
    this.pending = { at, scope };
    const fire = (): void => {
      if (this.pending?.scope !== scope) return;
      this.pending = undefined;
      this.fired = true;
    };
    scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: why }))
      .then(fire, (error: unknown) => {
        // Another timer replaced it, or the whole workflow is cancelled, which its main function learns on its own.
        if (!isCancellation(error)) throw error;
      });
  }

  /** Returns whether it has fired since it was last set. */
  hasFired(): boolean {
    return this.fired;
  }
}
