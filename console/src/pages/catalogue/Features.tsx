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
import { ArchiveDialog } from './ArchiveDialog';
import type { Archiving } from './archiving';
import { CreateFeature } from './CreateFeature';
import { EditFeature } from './EditFeature';
import { RowActions } from './RowActions';

/** The features that applications check. */
export function Features() {
  const { query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  // Dialogs are not part of the row, because a change of the list or of the own role removes it, together with what is
  // typed or was refused.
  const [editing, setEditing] = useState<Feature>();
  const [archiving, setArchiving] = useState<Archiving>();
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
                      <ArchiveButton item={feature} onAsk={setArchiving} />
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
      {archiving !== undefined && (
        <ArchiveDialog kind="feature" archiving={archiving} onClose={() => setArchiving(undefined)} />
      )}
      {isCreating && <CreateFeature onClose={close} />}
    </Panel>
  );
}
