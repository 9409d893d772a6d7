import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { accessReviewQuery } from './access-review';
import { GrantList } from './GrantList';

const TITLE = 'Access to review';

/** What former members made that keeps working, while there is any. For admins. */
export function AccessReview() {
  const { organizationId } = useWorkspace();
  const refusal = useRefusal('admin');
  const review = useQuery({ ...accessReviewQuery(organizationId), enabled: refusal === null });
  const grants = review.data?.data ?? [];
  if (refusal !== null || (!review.isError && grants.length === 0)) return null;
  return (
    <Panel title={TITLE}>
      <Stack>
        {review.isError && <ProblemPanel error={review.error} retry={() => void review.refetch()} />}
        {grants.length > 0 && (
          <>
            <Text size="sm" c="dimmed">
              Former members made or invited these, in either environment, and they keep their access. Decide
              about each.
            </Text>
            <GrantList label={TITLE} grants={grants} />
          </>
        )}
      </Stack>
    </Panel>
  );
}
