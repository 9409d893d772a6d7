import { Anchor, Container } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState';

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Container component="main" size="sm" py="xl">
      <EmptyState
        title="There is no such page"
        action={
          <Anchor component={Link} to="/">
            To the start
          </Anchor>
        }
      >
        The address may be mistyped, or of an older version.
      </EmptyState>
    </Container>
  );
}
