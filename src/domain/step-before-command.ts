import type { Instant } from './instant';
import { stepsOfTime, type LifecycleStep, type LifecycleView } from './lifecycle';

/** No command depends on these steps, so a provider that does not answer does not block commands. */
const AFTER_COMMANDS: ReadonlySet<LifecycleStep> = new Set([
  'prepare_change',
  'check_approval',
  'read_past_due',
]);

/**
 * Returns the due step to be taken before a command is judged, or null. It is the same for commands and their previews,
 * so that neither waits where the other answers.
 */
export function stepBeforeCommand(
  view: LifecycleView,
  now: Instant,
): { step: LifecycleStep; boundary: Instant } | null {
  const [first] = stepsOfTime(view)
    .filter(({ step, at }) => at <= now && !AFTER_COMMANDS.has(step) && !isOfItsCheckout(view, step))
    .sort((one, other) => one.at - other.at);
  return first === undefined ? null : { step: first.step, boundary: first.at };
}

/**
 * Returns the instant at which a command is judged. In local billing, a command that was submitted before the instant
 * of an overdue step comes before it, however late both are carried out: a renewal does not charge for seats that were
 * given back before it, and a payment prevents the expiry after it. A payment provider's steps have happened there.
 *
 * @param submittedAt the workspace's time; null if unknown
 */
export function timeOfCommand(view: LifecycleView, submittedAt: Instant | null, now: Instant): Instant {
  if (view.provider !== 'internal' || submittedAt === null) return now;
  const due = stepBeforeCommand(view, now);
  if (due === null || submittedAt >= due.boundary) return now;
  return Math.max(submittedAt, view.currentPeriodStart);
}

/** A provider's checkout may be paid at the last moment, so the provider is read before the checkout expires. */
function isOfItsCheckout({ provider }: LifecycleView, step: LifecycleStep): boolean {
  return step === 'expire_checkout' && provider !== 'internal';
}
