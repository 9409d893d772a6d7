import { Group, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Customer } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { ListRefusal } from '../../ui/ListRefusal';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { RowButton } from '../../ui/RowButton';
import { Time } from '../../ui/Time';
import { EntityBalances } from './EntityBalances';

/** The customer's entities (users, projects and so on), and the balances of each. */
export function CustomerEntities({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const refusal = useRefusal('developer');
  const refusalId = useId();
  const [shown, setShown] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  return (
    <Panel title="Entities">
      <Stack gap="xs">
        <ListRefusal id={refusalId} of="Removing an entity" refusal={refusal} />
        <PagedTable
          label={`Entities of ${customer.externalId}`}
          queryKey={['entities', query, customer.id]}
          load={(cursor) =>
            bodyOf(
              api.GET('/api/customers/{id}/entities', {
                params: {
                  query: { ...query, take: 10, ...(cursor && { cursor }) },
                  path: { id: customer.id },
                },
              }),
            )
          }
          minWidth={420}
          rowKey={({ entity }) => entity}
          columns={[
            { title: 'Entity', cell: ({ entity }) => <bdi>{entity}</bdi> },
            { title: 'First used', cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              title: 'Actions',
              cell: ({ entity }) => (
                <Group gap="xs">
                  <RowButton about={entity} onClick={() => setShown(entity)}>
                    Balances
                  </RowButton>
                  <RowButton
                    about={entity}
                    refusedBy={refusal === null ? undefined : refusalId}
                    onClick={() => setRemoving(entity)}
                  >
                    Remove
                  </RowButton>
                </Group>
              ),
            },
          ]}
          empty={
            <EmptyState title="No entity has used anything">
              A track with <code>entity</code> tells the customer’s users or projects apart.
            </EmptyState>
          }
        />
      </Stack>
      {shown !== undefined && (
        <EntityBalances customer={customer} entity={shown} onClose={() => setShown(undefined)} />
      )}
      {removing !== undefined && (
        <ConfirmDialog
          title="Remove an entity"
          submit="Remove"
          send={() =>
            api.DELETE('/api/customers/{id}/entities/{entity}', {
              params: { query, path: { id: customer.id, entity: removing } },
            })
          }
          refresh={[['entities']]}
          onClose={() => setRemoving(undefined)}
        >
          Another entity can have the place of <bdi>{removing}</bdi>, where the plan limits how many there
          are. What it has used stays counted, and its next use makes it again.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
