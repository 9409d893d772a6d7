import { Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Customer, UsageReservation } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { formatQuantity } from '../../ui/quantity';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

/** Units reserved for a customer's uses in progress, and the outcome of each reservation. */
export function CustomerReservations({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const refusalId = useId();
  const [releasing, setReleasing] = useState<UsageReservation>();
  return (
    <Panel title="Reservations">
      <Stack gap="xs">
        <ListRefusal id={refusalId} of="Releasing a reservation" refusal={refusal} />
        <PagedTable
          label={`Reservations of ${customer.externalId}`}
          queryKey={['reservations', query, customer.id]}
          load={(cursor) =>
            bodyOf(
              api.GET('/api/customers/{id}/reservations', {
                params: {
                  query: { ...query, take: 10, ...(cursor && { cursor }) },
                  path: { id: customer.id },
                },
              }),
            )
          }
          minWidth={560}
          rowKey={({ id }) => id}
          columns={[
            { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
            { title: 'Feature', cell: ({ feature }) => feature },
            { title: 'Quantity', align: 'right', cell: ({ quantity }) => formatQuantity(quantity) },
            { title: 'Held', cell: (reservation) => <Held reservation={reservation} /> },
            {
              title: 'Actions',
              cell: (reservation) =>
                reservation.status === 'held' && (
                  <RowButton
                    about={`the reservation ${reservation.id}`}
                    refusedBy={refusal === null ? undefined : refusalId}
                    onClick={() => setReleasing(reservation)}
                  >
                    Release
                  </RowButton>
                ),
            },
          ]}
          empty={
            <EmptyState title="Nothing is held">
              A check with <code>reserve</code> holds units until the track that names it, or until it
              expires.
            </EmptyState>
          }
        />
      </Stack>
      {releasing !== undefined && (
        <ConfirmDialog
          title="Release a reservation"
          submit={`Release ${formatQuantity(releasing.quantity)}`}
          send={() =>
            api.DELETE('/api/billing/usage/reservations/{id}', {
              params: { query, path: { id: releasing.id } },
            })
          }
          refresh={[['reservations'], ['entitlements of']]}
          onClose={() => setReleasing(undefined)}
        >
          The units become available to others immediately. A later track with this reservation is refused:
          release it only if the work is no longer running.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Held({ reservation: { createdAt, status, expiresAt, endedAt } }: { reservation: UsageReservation }) {
  return (
    <>
      <Text size="sm">
        from <Time at={createdAt} />
      </Text>
      <Text size="sm">
        to <Time at={status === 'held' ? expiresAt : (endedAt ?? expiresAt)} />
      </Text>
    </>
  );
}
