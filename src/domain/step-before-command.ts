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

/** A provider's checkout may be paid at the last moment, so the provider is read before the checkout expires. */
function isOfItsCheckout({ provider }: LifecycleView, step: LifecycleStep): boolean {
  return step === 'expire_checkout' && provider !== 'internal';
}
