import { isOutcomeUnknown } from '../api/problem';
import { ProblemPanel } from './ProblemPanel';

/** Why something could not be read, with another try unless the service itself has refused it. */
export function ReadProblem({ read }: { read: { error: unknown; refetch: () => unknown } }) {
  const { error, refetch } = read;
  return <ProblemPanel error={error} {...(isOutcomeUnknown(error) && { retry: () => void refetch() })} />;
}
