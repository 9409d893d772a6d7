import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Subscription } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { openCommandsQuery, refreshSubscriptions } from './queries';
import { Wait } from './Wait';

/**
 * The commands on a subscription that have no outcome yet. Whoever has reloaded the page, or opens it elsewhere, would
 * otherwise send them again.
 */
export function OpenCommands({ subscription: { id } }: { subscription: Subscription }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const { data: commands = [] } = useQuery(openCommandsQuery(query, id));
  const shown = commands.map((command) => command.id).join(' ');
  useEffect(() => {
    // The rest of the page shows what has ended at once, and not at its next refresh.
    if (shown !== '') return () => void refreshSubscriptions(queries);
    return undefined;
  }, [shown, queries]);
  return commands.map((command) => (
    <Wait
      key={command.id}
      color="blue"
      title={`Still being carried out: ${command.kind.replaceAll('_', ' ')}`}
      action={
        <WorkspaceLink path={`/commands?id=${command.id}`} size="sm">
          Show the command
        </WorkspaceLink>
      }
    >
      It was requested <Time at={command.createdAt} precision="second" />. This page shows when it has ended.
    </Wait>
  ));
}
