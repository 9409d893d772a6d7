import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Plan } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { isolate } from '../../ui/isolate';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { RowButton } from '../../ui/RowButton';
import { ArchiveButton } from '../catalogue/ArchiveButton';
import { ArchiveDialog } from '../catalogue/ArchiveDialog';
import type { Archiving } from '../catalogue/archiving';
import { DeletePlan } from './DeletePlan';
import { EditPlan } from './EditPlan';

/** Actions of a plan. */
export function PlanActions({ plan }: { plan: Plan }) {
  const refusal = useRefusal('developer');
  const [isEditing, { open, close }] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const [archiving, setArchiving] = useState<Archiving>();
  return (
    <Group gap="xs" align="flex-start">
      <ReasonedButton size="compact-sm" variant="default" reason={refusal} onClick={open}>
        Edit plan
      </ReasonedButton>
      {/* Not shown without the role: the reason is below Edit. */}
      {refusal === null && (
        <>
          <ArchiveButton item={plan} onAsk={setArchiving} />
          <RowButton about={isolate(plan.name)} onClick={deletion.open}>
            Delete
          </RowButton>
        </>
      )}
      {archiving !== undefined && (
        <ArchiveDialog kind="plan" archiving={archiving} onClose={() => setArchiving(undefined)} />
      )}
      {isDeleting && <DeletePlan plan={plan} onClose={deletion.close} />}
      {isEditing && <EditPlan plan={plan} onClose={close} />}
    </Group>
  );
}
