import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface WaitProps {
  color: string;
  title: string;
  /** Action to resolve it. */
  action?: ReactNode;
  children: ReactNode;
}

/** One thing a subscription waits for. */
export function Wait({ color, title, action, children }: WaitProps) {
  return (
    <Alert color={color} title={title} variant="light">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" flex="1 1 240px">
          {children}
        </Text>
        {action}
      </Group>
    </Alert>
  );
}
