import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { LeaveQuestion } from './LeaveQuestion';
import { isUnsaved } from './open-forms';

const leavesSomething: ShouldBlockFn = ({ current, next }) =>
  isUnsaved() &&
  (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search));

/**
 * Asks for confirmation before the user leaves a page with unsaved input: within the console, and through the browser
 * if the whole page is unloaded.
 */
export function LeaveGuard() {
  const question = useBlocker({
    shouldBlockFn: leavesSomething,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  if (question.status !== 'blocked') return null;
  return (
    <LeaveQuestion
      title="Leave without saving?"
      leave="Leave"
      onLeave={question.proceed}
      onStay={question.reset}
    />
  );
}
