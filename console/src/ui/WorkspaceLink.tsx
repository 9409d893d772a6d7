import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../app/workspace';

/** A link within the workspace. @param path after `/o/{organization}/{environment}` */
export function WorkspaceLink({
  path,
  children,
  ...style
}: AnchorProps & { path: string; children: ReactNode }) {
  const { base } = useWorkspace();
  return (
    <Anchor component={Link} to={`${base}${path}`} inherit={style.size === undefined} {...style}>
      {children}
    </Anchor>
  );
}
