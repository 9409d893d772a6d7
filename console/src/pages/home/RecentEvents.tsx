import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { Loading } from '../../ui/Loading';

const SHOWN = 8;
const REFRESH_MS = 15_000;

/** The latest events. */
export function RecentEvents() {
  const { query } = useWorkspace();
  const events = useQuery({
    queryKey: ['events', query, 'recent'],
    queryFn: () => bodyOf(api.GET('/api/developer-events', { params: { query: { ...query, take: SHOWN } } })),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel
      title="Last events"
      actions={
        <WorkspaceLink path="/events" size="sm">
          All, live
        </WorkspaceLink>
      }
    >
      {events.isPending && <Loading label="Loading the last events" size="sm" />}
      {events.isError && <ProblemPanel error={events.error} />}
      {events.data?.data.length === 0 && <Text size="sm">Nothing has happened yet.</Text>}
      <Stack gap="xs">
        {events.data?.data.map(({ id, status, message, createdAt }) => (
          <Group key={id} gap="sm" wrap="nowrap" align="flex-start">
            <Box w={92}>
              <StatusBadge status={status} />
            </Box>
            <Stack gap={0} flex={1} miw={0}>
              <Text size="sm">
                <bdi>
                  <Sentence text={message} />
                </bdi>
              </Text>
              <Text size="xs" c="dimmed">
                <Time at={createdAt} />
              </Text>
            </Stack>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
