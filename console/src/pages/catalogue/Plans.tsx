import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Money } from '../../ui/Money';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { priceUnit } from '../../ui/price';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { connectionsQuery } from '../connections/queries';
import { CreatePlan } from './CreatePlan';
import { saleInWords } from '../plan/sale-in-words';
import { trialInWords } from '../plan/trial-in-words';
import { soldAt } from './sold-at';

/** The plans with their prices, and where each can be sold. */
export function Plans() {
  const { query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  const refusal = useRefusal('developer');
  const { data: connections } = useQuery(connectionsQuery(query));
  return (
    <Panel
      title="Plans"
      actions={
        <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
          New plan
        </ReasonedButton>
      }
    >
      <PagedTable
        label="Plans"
        queryKey={['plans', query]}
        load={(cursor) =>
          bodyOf(api.GET('/api/plans', { params: { query: { ...query, ...(cursor && { cursor }) } } }))
        }
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Name',
            cell: ({ id, name }) => (
              <WorkspaceLink path={`/catalogue/plans/${id}`}>
                <bdi>{name}</bdi>
              </WorkspaceLink>
            ),
          },
          { title: 'Slug', cell: ({ slug }) => slug },
          {
            title: 'Price',
            align: 'right',
            cell: ({ price, interval, pricing }) => (
              <>
                <Money value={price} />
                {priceUnit({ interval, pricing })}
              </>
            ),
          },
          { title: 'Trial', cell: ({ trialDays }) => trialInWords(trialDays) },
          {
            title: 'Mapped at',
            cell: (plan) => (connections === undefined ? '–' : soldAt(plan, connections)),
          },
          { title: 'State', cell: saleInWords },
        ]}
        empty={
          <EmptyState title="There are no plans yet">
            A plan needs a plan group: create one below, then press New plan.
          </EmptyState>
        }
      />
      {isCreating && <CreatePlan onClose={close} />}
    </Panel>
  );
}
