import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** Why there is nothing, and what to do. */
  children: ReactNode;
  action?: ReactNode;
  /** Level of the heading: 1 if it is the whole page. */
  order?: 1 | 3;
}

/** Shown if there is nothing yet. */
export function EmptyState({ title, children, action, order = 3 }: EmptyStateProps) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Title order={order} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
