import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { LeaveQuestion } from './LeaveQuestion';
import { lossByLeaving } from './open-forms';

const leavesSomething: ShouldBlockFn = ({ current, next }) =>
  lossByLeaving() !== null &&
  (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search));

/**
 * Asks for confirmation before the user leaves a page with unsaved input or an unanswered request: within the console,
 * and through the browser if the whole page is unloaded.
 */
export function LeaveGuard() {
  const question = useBlocker({
    shouldBlockFn: leavesSomething,
    enableBeforeUnload: () => lossByLeaving() !== null,
    withResolver: true,
  });
  if (question.status !== 'blocked') return null;
  return <LeaveQuestion leave="Leave" onLeave={question.proceed} onStay={question.reset} />;
}
