import { Grid, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { StatusBadge } from '../../ui/StatusBadge';
import { subscriptionQuery } from './queries';
import { DriftPanel } from './DriftPanel';
import { OpenCommands } from './OpenCommands';
import { SubscriptionActions } from './SubscriptionActions';
import { SubscriptionFacts } from './SubscriptionFacts';
import { Timeline } from './Timeline';
import { Waits } from './Waits';
import { WorkflowLink } from './WorkflowLink';

/** A subscription: its details, what it waits for, its actions, its history and its next steps. */
export function SubscriptionPage() {
  const { query } = useWorkspace();
  const { id = '' } = useParams({ strict: false });
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(query, id));
  return (
    <>
      <PageHeader
        title={`${isolate(subscription.plan.name)} for ${isolate(subscription.externalId)}`}
        above={{ title: 'Subscriptions', path: '/subscriptions' }}
      />
      <Stack>
        <Group gap="sm">
          <StatusBadge status={subscription.status} />
          <WorkflowLink subscription={subscription} />
        </Group>
        <OpenCommands subscription={subscription} />
        <Waits subscription={subscription} />
        <Grid>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack>
              <SubscriptionActions subscription={subscription} />
              <SubscriptionFacts subscription={subscription} />
              {subscription.provider !== 'internal' && <DriftPanel subscription={subscription} />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Timeline subscription={subscription} />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}
