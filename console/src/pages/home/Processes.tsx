import { Group, Text } from '@mantine/core';
import type { Overview } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';

type State = 'well' | 'trouble';

/** Shows whether the processes of the service work. */
export function Processes({ processes }: { processes: Overview['processes'] }) {
  const { apis, workers, relay, outbox, outboxSince, temporal } = processes;
  return (
    <Panel title="Processes">
      <Facts
        facts={[
          ['API', <Health key="api" state="well" words={running(apis)} />],
          [
            'Worker',
            <Health
              key="worker"
              state={workers > 0 ? 'well' : 'trouble'}
              words={
                workers > 0 ? running(workers) : 'none was seen for 90 seconds: renewals and commands wait'
              }
            />,
          ],
          [
            'Relay',
            <Health
              key="relay"
              state={relay === 'running' ? 'well' : 'trouble'}
              words={relay === 'running' ? 'sends what is due' : `behind: ${waiting(outbox)}`}
            />,
          ],
          relay === 'behind' && outboxSince !== null && ['Oldest job', <Time key="since" at={outboxSince} />],
          [
            'Temporal',
            <Health
              key="temporal"
              state={temporal === 'reachable' ? 'well' : 'trouble'}
              words={TEMPORAL[temporal]}
            />,
          ],
        ]}
      />
    </Panel>
  );
}

const TEMPORAL: Record<Overview['processes']['temporal'], string> = {
  reachable: 'reachable',
  unreachable: 'cannot be reached: commands are refused, check and track go on',
  not_configured: 'not configured: subscriptions do not renew',
};

/** Maximum number of jobs that the API counts. */
const MAX_JOBS = 1_000;

function waiting(jobs: number): string {
  if (jobs === 1) return '1 job waits';
  return `${jobs.toLocaleString()}${jobs < MAX_JOBS ? '' : ' or more'} jobs wait`;
}

function running(count: number): string {
  return count === 1 ? '1 is running' : `${count} are running`;
}

function Health({ state, words }: { state: State; words: string }) {
  return (
    <Group gap={6} wrap="nowrap" align="baseline">
      <Text span size="sm" c={state === 'well' ? 'teal' : 'red'} aria-hidden>
        {state === 'well' ? '●' : '▲'}
      </Text>
      <Text span size="sm">
        {words}
      </Text>
    </Group>
  );
}
