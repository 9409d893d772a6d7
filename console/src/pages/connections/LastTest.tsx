import type { Connection } from '../../api/resources';
import { Time } from '../../ui/Time';
import { checkName } from './provider-fields';

/** When a connection was last tested, and what failed. */
export function LastTest({ connection: { testedAt, failedChecks } }: { connection: Connection }) {
  if (testedAt === null) return 'not since its last change';
  return (
    <>
      <Time at={testedAt} />:{' '}
      {failedChecks.length === 0 ? 'every check passed' : `failed: ${failedChecks.map(checkName).join(', ')}`}
    </>
  );
}
