import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { LeaveQuestion } from './LeaveQuestion';
import { isUnsaved } from './open-forms';

const leavesSomething: ShouldBlockFn = ({ current, next }) =>
  isUnsaved() &&
  (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search));

/** Asks before a page is left that something is typed in: here, and by the browser where the whole page goes. */
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
