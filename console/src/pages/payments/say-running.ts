import { notifications } from '@mantine/notifications';
import type { CommandResult } from '../../api/commands';

/** Says that a command goes on at the provider after the page has stopped waiting for it. */
export function sayRunning(result: CommandResult): void {
  if (result.kind === 'running')
    notifications.show({
      title: 'Still running',
      message: `The provider has not answered yet (${result.operation.id}). The list shows when it has.`,
    });
}
