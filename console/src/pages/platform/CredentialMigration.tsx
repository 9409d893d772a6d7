import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { countInWords } from '../../../../src/domain/count-in-words.ts';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { CredentialReport } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { credentialsQuery } from './credentials-query';
import { LastMigration } from './LastMigration';

/** Effect of a migration, and its progress. */
export function CredentialMigration({ report }: { report: CredentialReport }) {
  const queries = useQueryClient();
  const migrate = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/admin/provider-credentials/migrate')),
    // The request is answered when the migration has ended, or after half a minute. Until then, the report shows the
    // progress.
    onMutate: () => void invalidate(queries, [credentialsQuery.queryKey]),
    onSuccess: (after) => queries.setQueryData(credentialsQuery.queryKey, after),
  });
  const { pending, oldKey, legacy, publicSecrets, oldSecondFactors, endpointSecrets } = report;
  const { activeKeyId, migration } = report;
  const all = report.connections + report.secondFactors;
  const pendingOfThem = pending - endpointSecrets;
  const done = all === 0 ? 100 : ((all - pendingOfThem) / all) * 100;
  return (
    <Panel
      title="Migration"
      actions={
        pending > 0 && (
          // Available during a run, too: one whose workflow was terminated continues when it is requested again.
          <Button size="xs" loading={migrate.isPending} onClick={() => migrate.mutate()}>
            Migrate {pending.toLocaleString()} to {activeKeyId ?? 'the active key'}
          </Button>
        )
      }
    >
      <Stack>
        <Text size="sm" role="status">
          {pending === 0
            ? 'Nothing is pending: every stored secret is under the active key.'
            : `Pending: ${pendingOfThem.toLocaleString()} of ${all.toLocaleString()} connections and second factors${endpointSecrets === 0 ? '' : `, and ${countInWords(endpointSecrets, 'webhook endpoint', endpointSecrets.toLocaleString())}`}.`}
        </Text>
        <Progress.Root size="lg">
          <Progress.Section value={done} aria-label="What needs no migration" />
        </Progress.Root>
        <Facts
          facts={[
            ['Sealed under another key', oldKey.toLocaleString()],
            ['Second factors sealed under another key', oldSecondFactors.toLocaleString()],
            ['Secrets in public settings, not sealed', legacy.toLocaleString()],
            ['Secrets in public settings beside sealed ones', publicSecrets.toLocaleString()],
            ['Webhook endpoints under another key', endpointSecrets.toLocaleString()],
          ]}
        />
        {pending > 0 && !migrate.isPending && (
          <Text size="sm" c="dimmed">
            {migration?.status === 'running'
              ? 'A migration is running. If it makes no progress, request it again: it continues where it was interrupted.'
              : 'This report is a dry run and changes nothing. A migration may be repeated, continues where it was interrupted, and connections are used meanwhile.'}
          </Text>
        )}
        {migrate.isError && <ProblemPanel error={migrate.error} />}
        {migration !== null && migration.skipped > 0 && (
          <Alert
            color="red"
            variant="light"
            title={`${migration.skipped.toLocaleString()} could not be migrated`}
          >
            Their envelope cannot be opened: it is damaged, or was moved from another row. Disable such a
            connection and create a new one.
          </Alert>
        )}
        {migration !== null && <LastMigration migration={migration} />}
      </Stack>
    </Panel>
  );
}
