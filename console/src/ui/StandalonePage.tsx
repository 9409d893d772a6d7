import { Container, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { AccountMenu } from '../app/AccountMenu';
import { useFocusOnPage } from './use-focus-on-page';

interface StandalonePageProps {
  title: string;
  size: 'md' | 'xl';
  /** Links to other pages. */
  links: ReactNode;
  children: ReactNode;
}

/**
 * A page of a signed-in operator that belongs to no organization, with the operator's menu: who is in none has no other
 * page on which to sign out. Its content can be focused, as in `Shell`.
 */
export function StandalonePage({ title, size, links, children }: StandalonePageProps) {
  useFocusOnPage();
  return (
    <Container component="main" id="content" tabIndex={-1} style={{ outline: 'none' }} size={size} py="xl">
      <title>{`${title} · Tollgate`}</title>
      <Stack>
        <Group justify="space-between" wrap="nowrap">
          <div>{links}</div>
          <AccountMenu />
        </Group>
        {children}
      </Stack>
    </Container>
  );
}
