import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { isolate } from '../../ui/isolate';

interface RowActionsProps {
  name: string;
  /** The dialog in which the row's item is edited. */
  edit: (onClose: () => void) => ReactNode;
  /** What else can be done with it. */
  children: ReactNode;
}

/** Edit and what else there is to do with a row of the catalogue. */
export function RowActions({ name, edit, children }: RowActionsProps) {
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-sm" variant="default" aria-label={`Edit ${isolate(name)}`} onClick={open}>
        Edit
      </Button>
      {children}
      {isEditing && edit(close)}
    </Group>
  );
}
