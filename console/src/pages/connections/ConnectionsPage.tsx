import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ConnectionList } from './ConnectionList';
import { ConnectionWizard } from './ConnectionWizard';
import { connectionsQuery } from './queries';
import { useConnectionRefusal } from './use-connection-refusal';
import { Loading } from '../../ui/Loading';

/** The accounts at payment providers through which plans are sold. */
export function ConnectionsPage() {
  const { env, query } = useWorkspace();
  const connections = useQuery(connectionsQuery(query));
  const refusal = useConnectionRefusal();
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title="Provider connections"
        about={`The accounts at payment providers of ${environmentInWords(env)}. Secrets of the sandbox are refused in production, and the other way round.`}
        actions={
          <ReasonedButton size="xs" reason={refusal} onClick={open}>
            New connection
          </ReasonedButton>
        }
      />
      {connections.isPending && <Loading label="Loading connections" />}
      {connections.isError && (
        <ProblemPanel error={connections.error} retry={() => void connections.refetch()} />
      )}
      {connections.data?.length === 0 && (
        <EmptyState title="There is no connection yet">
          Without one, subscriptions are billed locally. Press New connection to sell through an account at a
          payment provider.
        </EmptyState>
      )}
      {connections.data !== undefined && connections.data.length > 0 && (
        <ConnectionList connections={connections.data} />
      )}
      {isCreating && <ConnectionWizard connection={null} onClose={close} />}
    </>
  );
}
