import { Container, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusOnPage } from './use-focus-on-page';

interface StandalonePageProps {
  title: string;
  size: 'md' | 'xl';
  children: ReactNode;
}

/** A page of a signed-in operator that belongs to no organization. Its content can be focused, as in `Shell`. */
export function StandalonePage({ title, size, children }: StandalonePageProps) {
  useFocusOnPage();
  return (
    <Container component="main" id="content" tabIndex={-1} style={{ outline: 'none' }} size={size} py="xl">
      <title>{`${title} · Tollgate`}</title>
      <Stack>{children}</Stack>
    </Container>
  );
}
