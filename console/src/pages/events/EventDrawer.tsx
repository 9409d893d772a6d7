import { Anchor, Drawer, Group, ScrollArea, Stack, Text } from '@mantine/core';
import type { DeveloperEvent } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { useUppermost } from '../../ui/uppermost';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

/** All details of an event: its subject, links to it, and its data. */
export function EventDrawer({ event, onClose }: { event: DeveloperEvent | null; onClose: () => void }) {
  const isOpen = event !== null;
  const isUppermost = useUppermost(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={isUppermost}
      position="right"
      size="lg"
      title="Event"
    >
      {event !== null && <Details event={event} />}
    </Drawer>
  );
}

function Details({ event }: { event: DeveloperEvent }) {
  const word = (name: string): string | undefined => {
    const value = event.data[name];
    return typeof value === 'string' ? value : undefined;
  };
  const customerId = word('customerId');
  const subscriptionId = word('subscriptionId');
  const decisionId = word('decisionId');
  const requestId = word('requestId');
  return (
    <Stack>
      <Group gap="sm">
        <StatusBadge status={event.status} />
        <Text size="sm" c="dimmed">
          {event.type.toLowerCase().replaceAll('_', ' ')}
        </Text>
      </Group>
      <Text>
        <bdi>
          <Sentence text={event.message} />
        </bdi>
      </Text>
      <Facts
        facts={[
          ['Id', <Id key="id" value={event.id} />],
          ['Real time', <Time key="created" at={event.createdAt} precision="second" />],
          ['Workspace’s time', <Time key="recorded" at={event.recordedAt} precision="second" />],
          ['Source', <bdi key="source">{event.source}</bdi>],
          requestId !== undefined && ['Request', <Id key="request" value={requestId} />],
        ]}
      />
      <Group gap="md">
        {customerId !== undefined && (
          <WorkspaceLink path={`/customers/${customerId}`}>The customer</WorkspaceLink>
        )}
        {subscriptionId !== undefined && (
          <WorkspaceLink path={`/subscriptions/${subscriptionId}`}>The subscription</WorkspaceLink>
        )}
        {decisionId !== undefined && (
          <WorkspaceLink path={`/decisions?id=${decisionId}`}>Why it was decided so</WorkspaceLink>
        )}
        <Anchor href="/docs" inherit>
          API reference
        </Anchor>
      </Group>
      <ScrollArea.Autosize mah="50dvh" type="auto">
        <Text component="pre" size="xs" m={0} tabIndex={0} aria-label="The event as JSON">
          {JSON.stringify(event, null, 2)}
        </Text>
      </ScrollArea.Autosize>
    </Stack>
  );
}
