import { Group, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Customer, UsageEvent } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { formatQuantity } from '../../ui/quantity';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { ReverseUse } from './ReverseUse';
import { UseDetails } from './UseDetails';
import { UseMarks } from './UseMarks';

/** A customer's recorded uses, which can be reversed. */
export function CustomerUses({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const refusalId = useId();
  const [shown, setShown] = useState<UsageEvent>();
  const [reversing, setReversing] = useState<UsageEvent>();
  // An erased customer's uses are final, because commands for it are refused.
  const isErased = customer.erasureId !== null;
  return (
    <Panel title="Recorded uses">
      <Stack gap="xs">
        <ListRefusal id={refusalId} of="Reversing a use" refusal={refusal} />
        <PagedTable
          label={`Recorded uses of ${customer.externalId}`}
          queryKey={['usage', query, 'events', customer.externalId]}
          load={(cursor) =>
            bodyOf(
              api.GET('/api/billing/usage/events', {
                params: {
                  query: { ...query, customer: customer.externalId, take: 10, ...(cursor && { cursor }) },
                },
              }),
            )
          }
          minWidth={560}
          rowKey={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
            {
              title: 'Feature',
              cell: (use) => (
                <>
                  <Text size="sm">{use.feature}</Text>
                  <UseMarks use={use} />
                </>
              ),
            },
            { title: 'Quantity', align: 'right', cell: ({ quantity }) => formatQuantity(quantity) },
            { title: 'Source', cell: ({ source }) => <bdi>{source}</bdi> },
            {
              title: 'Actions',
              cell: (use) => (
                <Group gap={4} wrap="nowrap">
                  <RowButton
                    about={`of the use ${use.id}`}
                    refusedBy={undefined}
                    onClick={() => setShown(use)}
                  >
                    Details
                  </RowButton>
                  {use.reversal === null && !isErased && (
                    <RowButton
                      about={`the use ${use.id}`}
                      refusedBy={refusal === null ? undefined : refusalId}
                      onClick={() => setReversing(use)}
                    >
                      Reverse
                    </RowButton>
                  )}
                </Group>
              ),
            },
          ]}
          empty={
            <EmptyState title="Nothing is recorded yet">
              The first track with this customer’s external id shows here.
            </EmptyState>
          }
        />
      </Stack>
      {shown !== undefined && <UseDetails use={shown} onClose={() => setShown(undefined)} />}
      {reversing !== undefined && <ReverseUse use={reversing} onClose={() => setReversing(undefined)} />}
    </Panel>
  );
}
