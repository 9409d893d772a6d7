import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { isolate } from '../../ui/isolate';
import { RowButton } from '../../ui/RowButton';

interface RowActionsProps {
  name: string;
  /** Renders the dialog that edits the row's item. */
  edit: (onClose: () => void) => ReactNode;
  /** Other actions. */
  children: ReactNode;
}

/** Edit and other actions of a row of the catalogue. */
export function RowActions({ name, edit, children }: RowActionsProps) {
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton about={isolate(name)} onClick={open}>
        Edit
      </RowButton>
      {children}
      {isEditing && edit(close)}
    </Group>
  );
}
