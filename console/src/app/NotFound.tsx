import { Anchor, Container } from '@mantine/core';
import { Link, type NotFoundRouteProps } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState';
import { isolate } from '../ui/isolate';

/**
 * Shown for an unknown address.
 *
 * @param props.data on an organization's page whose organization the operator is not in: its slug
 */
export function NotFound({ data }: Pick<NotFoundRouteProps, 'data'>) {
  const isMissing = typeof data === 'string';
  const title = isMissing ? `You are not a member of ${isolate(data)}` : 'There is no such page';
  return (
    <Container component="main" size="sm" py="xl">
      <title>{`${title} · Tollgate`}</title>
      <EmptyState
        isPage
        title={title}
        action={
          <Anchor component={Link} to="/">
            To the start
          </Anchor>
        }
      >
        {isMissing
          ? 'Ask an admin of that organization for an invitation. The address may also be mistyped.'
          : 'The address may be mistyped, or from an older version.'}
      </EmptyState>
    </Container>
  );
}
