import { Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf } from '../../api/client';
import { rememberPlace } from '../../app/last-place';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { FallsDue } from './FallsDue';
import { GetStarted } from './GetStarted';
import { needsNobody } from './attention-lines';
import { NeedsAttention } from './NeedsAttention';
import { Processes } from './Processes';
import { RecentEvents } from './RecentEvents';
import { Loading } from '../../ui/Loading';

const REFRESH_MS = 30_000;

/** The operator's start page: remaining set-up, what needs attention, what falls due, and the latest events. */
export function HomePage() {
  const { organization, env, query } = useWorkspace();
  useEffect(() => {
    rememberPlace({ organization: organization.slug, environment: env });
  }, [organization.slug, env]);
  const overview = useQuery({
    queryKey: ['overview', query],
    queryFn: () => bodyOf(api.GET('/api/overview', { params: { query } })),
    refetchInterval: REFRESH_MS,
  });
  const counts = overview.data?.attention;
  const attention = counts !== undefined && <NeedsAttention attention={counts} />;
  const isQuiet = counts === undefined || needsNobody(counts);
  return (
    <>
      <PageHeader title={`${isolate(organization.name)}, ${env}`} />
      <Stack>
        {!isQuiet && attention}
        <GetStarted />
        {overview.isError && <ProblemPanel error={overview.error} />}
        <Grid>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack>
              {overview.isPending && (
                <Panel title="Needs a person">
                  <Loading label="Loading what needs a person" size="sm" />
                </Panel>
              )}
              {isQuiet && attention}
              <FallsDue />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack>
              {overview.isPending && (
                <Panel title="Processes">
                  <Loading label="Loading the processes" size="sm" />
                </Panel>
              )}
              {overview.data !== undefined && <Processes processes={overview.data.processes} />}
              <RecentEvents />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}
