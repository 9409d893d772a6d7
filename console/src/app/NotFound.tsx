import { Anchor, Container } from '@mantine/core';
import { Link, type NotFoundRouteProps } from '@tanstack/react-router';
import { EmptyState } from '../ui/EmptyState';
import { isolate } from '../ui/isolate';
import { useFocusOnPage } from '../ui/use-focus-on-page';
import { WorkspaceLink } from '../ui/WorkspaceLink';

const NO_PAGE = 'There is no such page';
const WHY = 'The address may be mistyped, or from an older version.';

/**
 * Shown for an unknown address.
 *
 * @param props.data on an organization's page whose organization the operator is not in: its slug
 */
export function NotFound({ data }: Pick<NotFoundRouteProps, 'data'>) {
  const isMissing = typeof data === 'string';
  const title = isMissing ? `You are not a member of ${isolate(data)}` : NO_PAGE;
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
          : WHY}
      </EmptyState>
    </Container>
  );
}

/** Shown for an unknown address of a workspace, with its navigation. */
export function NotFoundHere() {
  useFocusOnPage();
  return (
    <Container size="sm" py="xl">
      <title>{`${NO_PAGE} · Tollgate`}</title>
      <EmptyState isPage title={NO_PAGE} action={<WorkspaceLink path="">To Home</WorkspaceLink>}>
        {WHY}
      </EmptyState>
    </Container>
  );
}
