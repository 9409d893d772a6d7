import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { isolate } from '../../ui/isolate';
import { RowButton } from '../../ui/RowButton';

interface RowActionsProps {
  name: string;
  onEdit: () => void;
  /** Other actions. */
  children: ReactNode;
}

/** Edit and other actions of a row of the catalogue. */
export function RowActions({ name, onEdit, children }: RowActionsProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton about={isolate(name)} onClick={onEdit}>
        Edit
      </RowButton>
      {children}
    </Group>
  );
}
