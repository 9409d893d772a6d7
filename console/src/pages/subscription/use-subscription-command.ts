import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Intent, runCommand } from '../../api/commands';
import { isOutcomeUnknown } from '../../api/problem';
import { useWorkspace } from '../../app/workspace';
import { refreshSubscriptions } from './queries';

/**
 * Sends a command on a subscription and follows it to its end. One dialog is one intent.
 *
 * @param send receives the idempotency key and the mutation's body
 */
export function useSubscriptionCommand<Body>(
  onDone: () => void,
  send: (key: string, body: Body) => Promise<{ data?: unknown; response: Response }>,
) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const [intent] = useState(() => new Intent());
  const [isDone, setDone] = useState(false);
  const command = useMutation({
    mutationFn: (body: Body) => runCommand(query, intent, body, send),
    onSuccess: async (result) => {
      setDone(true);
      await refreshSubscriptions(queries);
      if (result.kind === 'running')
        notifications.show({
          title: 'Still running',
          message: `The command is still being carried out (${result.operation.id}). This page shows when it has ended.`,
        });
      onDone();
    },
    // A refusal is recorded in the timeline. If the answer was lost, the dialog stays unchanged for a retry.
    onError: async (error) => {
      if (!isOutcomeUnknown(error)) await refreshSubscriptions(queries);
    },
  });
  return { ...command, isDone };
}
