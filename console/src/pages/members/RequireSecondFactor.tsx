import { Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { useSession } from '../../api/session';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';

/** Sets whether members need a second factor. */
export function RequireSecondFactor() {
  const { organization, organizationId: id } = useWorkspace();
  const { secondFactor } = useSession();
  const queries = useQueryClient();
  const notOwner = useRefusal('owner');
  const refusal =
    notOwner ??
    (secondFactor.enrolled || organization.requireSecondFactor
      ? null
      : 'Set up your own second factor first, under Account.');
  const change = useMutation({
    mutationFn: (requireSecondFactor: boolean) =>
      bodyOf(
        api.PUT('/api/organizations/{id}/second-factor-requirement', {
          params: { path: { id } },
          body: { requireSecondFactor },
        }),
      ),
    onSettled: () => invalidate(queries, [['session']]),
  });
  return (
    <Panel title="Second factor">
      <Stack gap="xs">
        <Switch
          label="Require a second factor for every member"
          description={refusal ?? 'Members without one can only set one up, from their next request on.'}
          checked={change.isPending ? change.variables : organization.requireSecondFactor}
          disabled={refusal !== null}
          // Not disabled while it is answered, because it would lose the focus.
          aria-busy={change.isPending}
          onChange={(event) => {
            if (!change.isPending) change.mutate(event.currentTarget.checked);
          }}
        />
        {change.isError && <ProblemPanel error={change.error} />}
        <Text size="xs" c="dimmed">
          In both environments. API keys are not affected.
        </Text>
      </Stack>
    </Panel>
  );
}
