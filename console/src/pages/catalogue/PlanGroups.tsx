import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { PlanGroup } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { FormDialog } from '../../ui/FormDialog';
import { Id } from '../../ui/Id';
import { PagedTable } from '../../ui/PagedTable';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { required } from '../../ui/required';
import { slugProblem } from '../../ui/text-problems';
import { ArchiveButton } from './ArchiveButton';
import { ArchiveDialog } from './ArchiveDialog';
import type { Archiving } from './archiving';
import { EditPlanGroup } from './EditPlanGroup';
import { RowActions } from './RowActions';

/** The plan groups. A customer has at most one plan of each. */
export function PlanGroups() {
  const { query } = useWorkspace();
  const [isCreating, { open, close }] = useDisclosure(false);
  // Dialogs are not part of the row, because a change of the list or of the own role removes it, together with what is
  // typed or was refused.
  const [editing, setEditing] = useState<PlanGroup>();
  const [archiving, setArchiving] = useState<Archiving>();
  const refusal = useRefusal('developer');
  return (
    <Panel
      title="Plan groups"
      actions={
        <ReasonedButton size="xs" variant="default" reason={refusal} onClick={open}>
          New plan group
        </ReasonedButton>
      }
    >
      <PagedTable
        label="Plan groups"
        queryKey={['plan-groups', query]}
        load={(cursor) =>
          bodyOf(api.GET('/api/plan-groups', { params: { query: { ...query, ...(cursor && { cursor }) } } }))
        }
        rowKey={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
          { title: 'Slug', cell: ({ slug }) => slug },
          { title: 'Id', cell: ({ id }) => <Id value={id} /> },
          { title: 'State', cell: ({ archivedAt }) => (archivedAt === null ? 'in use' : 'archived') },
          ...(refusal === null
            ? [
                {
                  title: 'Actions',
                  cell: (group: PlanGroup) => (
                    <RowActions name={group.name} onEdit={() => setEditing(group)}>
                      <ArchiveButton item={group} onAsk={setArchiving} />
                    </RowActions>
                  ),
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState title="There are no plan groups yet">
            The catalogue begins with one, for example “Plans”, with the plans Free and Pro in it.
          </EmptyState>
        }
      />
      {editing !== undefined && <EditPlanGroup group={editing} onClose={() => setEditing(undefined)} />}
      {archiving !== undefined && (
        <ArchiveDialog kind="plan group" archiving={archiving} onClose={() => setArchiving(undefined)} />
      )}
      {isCreating && <CreatePlanGroup onClose={close} />}
    </Panel>
  );
}

function CreatePlanGroup({ onClose }: { onClose: () => void }) {
  const { query } = useWorkspace();
  const form = useForm({
    initialValues: { name: '', slug: '' },
    validate: { name: required, slug: slugProblem },
  });
  return (
    <FormDialog
      title="New plan group"
      submit="Create group"
      form={form}
      send={({ name, slug }) =>
        bodyOf(api.POST('/api/plan-groups', { params: { query }, body: { name, slug: slug.trim() } }))
      }
      refresh={[['plan-groups']]}
      onClose={onClose}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Slug"
        description="Lower case, for programs: it names the group in addresses and exports."
        withAsterisk
        {...form.getInputProps('slug')}
      />
    </FormDialog>
  );
}
