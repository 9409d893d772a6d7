import { notifications } from '@mantine/notifications';
import type { CommandResult } from '../api/commands';

/** Notifies the user that a command continues after the page has stopped waiting, and where its outcome will be. */
export function sayRunning(result: CommandResult): void {
  if (result.kind === 'running')
    notifications.show({
      title: 'Still running',
      message: `It is still being carried out (${result.operation.id}). The page Commands shows when it has ended.`,
    });
}
