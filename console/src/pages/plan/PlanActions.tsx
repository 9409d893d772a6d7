import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Plan } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { ArchiveButton } from '../catalogue/ArchiveButton';
import { EditPlan } from './EditPlan';

/** Actions of a plan. */
export function PlanActions({ plan }: { plan: Plan }) {
  const refusal = useRefusal('developer');
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs" align="flex-start">
      <ReasonedButton size="compact-sm" variant="default" reason={refusal} onClick={open}>
        Edit plan
      </ReasonedButton>
      <ArchiveButton kind="plan" item={plan} />
      {isEditing && <EditPlan plan={plan} onClose={close} />}
    </Group>
  );
}
