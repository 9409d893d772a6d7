import { notifications } from '@mantine/notifications';
import type { CommandResult } from '../../api/commands';

/** Notifies the user that a command continues at the provider after the page has stopped waiting. */
export function sayRunning(result: CommandResult): void {
  if (result.kind === 'running')
    notifications.show({
      title: 'Still running',
      message: `The provider has not answered yet (${result.operation.id}). The list shows when it has.`,
    });
}
