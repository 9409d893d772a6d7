import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { api, bodyOf } from '../../api/client';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { PagedTable } from '../../ui/PagedTable';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { providerName } from '../../ui/providers';
import { CollectSettlements } from './CollectSettlements';
import { CreateSettlement } from './CreateSettlement';

/** Payouts by providers. */
export function Settlements() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const refusal = useRefusal('admin');
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Stack>
      <Group justify="flex-end" align="flex-start">
        <CollectSettlements />
        <ReasonedButton size="xs" reason={refusal} onClick={open}>
          New settlement
        </ReasonedButton>
      </Group>
      <PagedTable
        label="Settlements"
        queryKey={['settlements', query, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/settlements', {
                  params: { query: { ...query, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/billing/settlements/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Period',
            cell: ({ periodStart, periodEnd }) => (
              <>
                <Time at={periodStart} /> to <Time at={periodEnd} />
              </>
            ),
          },
          { title: 'Provider', cell: ({ provider }) => providerName(provider) },
          { title: 'Paid', align: 'right', cell: ({ paid }) => <Money value={paid} /> },
          { title: 'Refunded', align: 'right', cell: ({ refunded }) => <Money value={refunded} /> },
          { title: 'Fees', align: 'right', cell: ({ fees }) => <Money value={fees} /> },
          { title: 'Net', align: 'right', cell: ({ net }) => <Money value={net} /> },
          {
            title: 'Status',
            cell: ({ status, difference }) => (
              <>
                <StatusBadge status={status} />
                {difference !== null && (
                  <Text size="xs" maw={320}>
                    <bdi>{difference}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Id', cell: ({ id }) => <Id value={id} /> },
        ]}
        empty={
          <EmptyState title="There are no settlements yet">
            Every connection is asked for its payouts once a day.
          </EmptyState>
        }
      />
      {isCreating && <CreateSettlement onClose={close} />}
    </Stack>
  );
}
