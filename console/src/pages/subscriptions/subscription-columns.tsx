import { Stack, Text } from '@mantine/core';
import type { Subscription } from '../../api/resources';
import type { Column } from '../../ui/PagedTable';
import { Money } from '../../ui/Money';
import { priceUnit } from '../../ui/price';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { providerName } from '../../ui/providers';
import { countInWords } from '../../../../src/domain/count-in-words.ts';

/** Columns of a list of subscriptions. */
export const subscriptionColumns: Column<Subscription>[] = [
  {
    title: 'Customer',
    cell: ({ id, externalId }) => (
      <WorkspaceLink path={`/subscriptions/${id}`}>
        <bdi>{externalId}</bdi>
      </WorkspaceLink>
    ),
  },
  {
    title: 'Plan',
    cell: ({ id, plan, seats, pricing }) => (
      <Stack gap={0}>
        <WorkspaceLink path={`/subscriptions/${id}`}>
          <bdi>{plan.name}</bdi>
        </WorkspaceLink>
        {pricing === 'per_seat' && (
          <Text size="xs" c="dimmed">
            {countInWords(seats, 'seat')}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, scheduledChange, pendingApproval }) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge status={status} />
        {scheduledChange !== null && (
          <Text size="xs" c="dimmed">
            changes at the renewal
          </Text>
        )}
        {pendingApproval !== null && (
          <Text size="xs" c="dimmed">
            waits for approval
          </Text>
        )}
      </Stack>
    ),
  },
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
  { title: 'Provider', cell: ({ provider }) => providerName(provider) },
  {
    title: 'Renews or ends',
    cell: ({ status, cancelAt, currentPeriodEnd }) =>
      status === 'cancelled' || status === 'expired' || status === 'incomplete' ? (
        '–'
      ) : (
        <>
          {cancelAt === null ? 'renews ' : 'ends '}
          <Time at={cancelAt ?? currentPeriodEnd} precision="day" />
        </>
      ),
  },
];
