import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Checkout } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { Id } from '../../ui/Id';
import { Money } from '../../ui/Money';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { pageOf, useOnlyRecord } from '../../ui/OnlyRecord';
import { PagedTable } from '../../ui/PagedTable';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { refreshWhile } from '../../ui/refresh-while';
import { RowButton } from '../../ui/RowButton';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { providerName } from '../../ui/providers';
import { useCustomerFilter } from './CustomerFilter';
import { CreateCheckout } from './CreateCheckout';

/** Whether it waits for its page at the provider, or for its payment. */
const isOpen = ({ status }: Checkout) => status === 'open';

/** Payments offered to customers, with the address where they pay. */
export function Checkouts() {
  const { query } = useWorkspace();
  const id = useOnlyRecord();
  const customer = useCustomerFilter();
  const refusal = useRefusal('developer');
  const reason = useId();
  const [isCreating, { open, close }] = useDisclosure(false);
  const [ending, setEnding] = useState<Checkout>();
  return (
    <Stack>
      <Group justify="flex-end">
        <ReasonedButton size="xs" reason={refusal} onClick={open}>
          New checkout
        </ReasonedButton>
      </Group>
      <PagedTable
        label="Checkouts"
        queryKey={['checkouts', query, customer, id]}
        load={(cursor) =>
          id === undefined
            ? bodyOf(
                api.GET('/api/billing/checkouts', {
                  params: { query: { ...query, ...customer, ...(cursor && { cursor }) } },
                }),
              )
            : pageOf(bodyOf(api.GET('/api/billing/checkouts/{id}', { params: { path: { id }, query } })))
        }
        rowKey={({ id }) => id}
        refreshAfter={refreshWhile(isOpen)}
        columns={[
          {
            title: 'Customer',
            cell: ({ customerId, externalId }) => (
              <WorkspaceLink path={`/customers/${customerId}`}>
                <bdi>{externalId}</bdi>
              </WorkspaceLink>
            ),
          },
          {
            title: 'Offers',
            cell: ({ plan, description, id }) => (
              <Stack gap={0} maw={160}>
                <bdi>{plan?.slug ?? description ?? 'an amount'}</bdi>
                <Id value={id} />
              </Stack>
            ),
          },
          { title: 'To pay', align: 'right', cell: ({ amountDue }) => <Money value={amountDue} /> },
          { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Provider', cell: ({ provider }) => providerName(provider) },
          { title: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            title: 'Address',
            cell: ({ url }) =>
              url === null ? (
                '–'
              ) : (
                <Stack maw={200}>
                  <Id value={url} />
                </Stack>
              ),
          },
          {
            title: 'Actions',
            cell: (checkout) =>
              isOpen(checkout) && (
                <RowButton
                  about={`the checkout of ${checkout.externalId}`}
                  refusedBy={refusal === null ? undefined : reason}
                  onClick={() => setEnding(checkout)}
                >
                  Expire
                </RowButton>
              ),
          },
        ]}
        empty={
          customer.externalId === undefined ? (
            <EmptyState title="There are no checkouts yet">
              A checkout offers a plan, and its subscription begins when it is paid.
            </EmptyState>
          ) : (
            <NoneLikeThis />
          )
        }
      />
      <ListRefusal id={reason} of="Expiring a checkout" refusal={refusal} />
      {isCreating && <CreateCheckout onClose={close} />}
      {ending !== undefined && (
        <ConfirmDialog
          title="Expire the checkout"
          submit="Expire it"
          isDestructive
          send={() =>
            api.POST('/api/billing/checkouts/{id}/expire', {
              params: { query, path: { id: ending.id } },
            })
          }
          refresh={[['checkouts'], ['subscriptions']]}
          onClose={() => setEnding(undefined)}
        >
          <Text size="sm">
            <bdi>{ending.externalId}</bdi> can no longer pay it. What was paid at the last moment counts.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
