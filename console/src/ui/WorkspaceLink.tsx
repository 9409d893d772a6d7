import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace, type Environment } from '../app/workspace';

interface WorkspaceLinkProps extends AnchorProps {
  /** What follows `/o/{organization}/{environment}`. */
  path: string;
  /** If omitted, that of the page. */
  env?: Environment | null;
  onClick?: (() => void) | undefined;
  children: ReactNode;
}

/** A link within the organization. */
export function WorkspaceLink({ path, env, children, ...style }: WorkspaceLinkProps) {
  const { organization, env: here } = useWorkspace();
  const base = `/o/${organization.slug}/${env ?? here}`;
  return (
    <Anchor component={Link} to={`${base}${path}`} inherit={style.size === undefined} {...style}>
      {children}
    </Anchor>
  );
}
