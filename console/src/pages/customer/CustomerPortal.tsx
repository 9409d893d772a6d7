import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';

/** Ends all sessions and links of the customer's own page. */
export function CustomerPortal({ customer: { id } }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const end = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE('/api/customers/{id}/portal-sessions', { params: { query, path: { id } } })),
    onSuccess: ({ ended }) =>
      notifications.show({
        message: ended === 1 ? 'One link or session has ended.' : `${ended} links and sessions have ended.`,
      }),
  });
  return (
    <Panel title="Customer’s page">
      <ReasonedButton
        size="xs"
        variant="default"
        reason={refusal}
        hint="Ends every open page and every link. The application can create new ones."
        loading={end.isPending}
        onClick={() => end.mutate()}
      >
        Close the page
      </ReasonedButton>
      {end.isError && <ProblemPanel error={end.error} />}
    </Panel>
  );
}
