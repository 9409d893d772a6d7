import { Group, Paper, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { HeadingLevel } from './heading-level';

interface PanelProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a page, with its own heading. */
export function Panel({ title, actions, children }: PanelProps) {
  const heading = useId();
  return (
    <Paper component="section" aria-labelledby={heading} withBorder p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5" id={heading} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions}
      </Group>
      <HeadingLevel value={3}>{children}</HeadingLevel>
    </Paper>
  );
}
