import { Container } from '@mantine/core';
import { EmptyState } from '../ui/EmptyState';

/** Shown on a link's page without the link's token, as from a bookmark: the address alone does not contain it. */
export function IncompleteLink() {
  return (
    <Container component="main" size="sm" py="xl">
      <title>The link is incomplete · Tollgate</title>
      <EmptyState isPage title="The link is incomplete">
        Open the whole link again, as you received it.
      </EmptyState>
    </Container>
  );
}
