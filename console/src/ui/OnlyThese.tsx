import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that a link has narrowed a list, so that nobody takes it for all there is, and takes that off. */
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
          // It goes with what it stands beside.
          document.getElementById('content')?.focus({ preventScroll: true });
        }}
      >
        Show all
      </Button>
    </Group>
  );
}
