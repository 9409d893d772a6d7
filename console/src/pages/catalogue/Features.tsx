import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Feature } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ArchiveButton } from './ArchiveButton';
import { CreateFeature } from './CreateFeature';
import { EditFeature } from './EditFeature';
import { RowActions } from './RowActions';

/** The features that applications check. */
export function Features() {
  const { query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  // Not part of the row, which a change of the list or of the own role removes together with what is typed.
  const [editing, setEditing] = useState<Feature>();
  const refusal = useRefusal('developer');
  return (
    <Panel
      title="Features"
      actions={
        <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
          New feature
        </ReasonedButton>
      }
    >
      <PagedTable
        label="Features"
        queryKey={['features', query]}
        load={(cursor) =>
          bodyOf(api.GET('/api/features', { params: { query: { ...query, ...(cursor && { cursor }) } } }))
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
          { title: 'Key', cell: ({ key }) => key },
          { title: 'Kind', cell: ({ kind, unit }) => (unit === null ? kind : `${kind}, in ${unit}`) },
          {
            title: 'Dimensions',
            cell: ({ dimensions }) => <bdi>{dimensions.length === 0 ? '–' : dimensions.join(', ')}</bdi>,
          },
          { title: 'State', cell: ({ archivedAt }) => (archivedAt === null ? 'in use' : 'archived') },
          ...(refusal === null
            ? [
                {
                  title: 'Actions',
                  cell: (feature: Feature) => (
                    <RowActions name={feature.name} onEdit={() => setEditing(feature)}>
                      <ArchiveButton kind="feature" item={feature} />
                    </RowActions>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState title="There are no features yet">
            A feature is what check and track name: metered (counted against a quota), or on and off.
          </EmptyState>
        }
      />
      {editing !== undefined && <EditFeature feature={editing} onClose={() => setEditing(undefined)} />}
      {isCreating && <CreateFeature onClose={close} />}
    </Panel>
  );
}
