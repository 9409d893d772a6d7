import type { Instant } from './instant';
import { stepsOfTime, type LifecycleStep, type LifecycleView } from './lifecycle';

/** No command depends on these steps, so a provider that does not answer blocks no command. */
const AFTER_COMMANDS: ReadonlySet<LifecycleStep> = new Set([
  'prepare_change',
  'check_approval',
  'read_past_due',
]);

/**
 * The due step that is to be taken before a command is judged, or null. The same for commands and for previews of them,
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

/** A provider's checkout may be paid at the last moment: who waits for it reads the provider first. */
function isOfItsCheckout({ provider }: LifecycleView, step: LifecycleStep): boolean {
  return step === 'expire_checkout' && provider !== 'internal';
}
