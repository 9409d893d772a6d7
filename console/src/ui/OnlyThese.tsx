import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { focusContent } from './focus-content';

/** Shows that a link has filtered a list, so that it is not mistaken for the complete one, and clears the filter. */
export function OnlyThese({ children, onClear }: { children: ReactNode; onClear: () => void }) {
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          onClear();
          // The button is removed together with the note.
          focusContent();
        }}
      >
        Show all
      </Button>
    </Group>
  );
}
