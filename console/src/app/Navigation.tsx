import { NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { PAGES } from './pages';
import { useWorkspace } from './workspace';

/** The pages of the workspace. */
export function Navigation() {
  const { base } = useWorkspace();
  const { pathname } = useLocation();
  const isHere = (path: string) =>
    path === '' ? pathname.replace(/\/$/, '') === base : pathname.startsWith(`${base}${path}`);
  return (
    <ScrollArea component="nav" aria-label="Pages" flex={1}>
      {PAGES.map(({ group, pages }) => (
        <div key={group}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
            {group}
          </Text>
          {pages.map(({ title, path }) => (
            <NavLink
              key={path}
              component={Link}
              to={`${base}${path}`}
              label={title}
              active={isHere(path)}
              activeOptions={{ exact: path === '' }}
              variant="light"
            />
          ))}
        </div>
      ))}
    </ScrollArea>
  );
}
