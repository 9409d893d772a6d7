import { Center, Stack, Text, Title } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { HeadingLevel } from './heading-level';

interface EmptyStateProps {
  title: string;
  /** Why there is nothing, and what to do. */
  children: ReactNode;
  action?: ReactNode;
  /** Whether it is the whole page, so that its title is the page's heading. */
  isPage?: boolean;
}

/** Shown if there is nothing yet. */
export function EmptyState({ title, children, action, isPage = false }: EmptyStateProps) {
  const level = useContext(HeadingLevel);
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Title order={isPage ? 1 : level} size="h4">
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
