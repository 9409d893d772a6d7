import { Grid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { PageHeader } from '../../ui/PageHeader';
import { useEndpointRefusal } from '../webhook-endpoints/use-endpoint-refusal';
import { DeleteEndpoint } from './DeleteEndpoint';
import { Deliveries } from './Deliveries';
import { DeliveryDrawer } from './DeliveryDrawer';
import { EndpointFacts } from './EndpointFacts';
import { EndpointReview } from './EndpointReview';
import { EndpointSecret } from './EndpointSecret';
import { endpointQuery } from './queries';
import { ROLE_REASON } from './reasons';
import { SendMessages } from './SendMessages';

/** An endpoint: what it subscribes to, and the outcomes of its deliveries. */
export function WebhookEndpointPage() {
  const { query } = useWorkspace();
  const { id = '' } = useParams({ strict: false });
  const refusal = useEndpointRefusal();
  const { data: endpoint } = useSuspenseQuery(endpointQuery(query, id));
  return (
    <>
      <PageHeader
        title={isolate(endpoint.url)}
        above={{ title: 'Webhook endpoints', path: '/developer/webhooks' }}
      />
      {refusal !== null && (
        <Text id={ROLE_REASON} size="sm" c="dimmed" mb="md">
          Changing it and sending to it: {refusal}
        </Text>
      )}
      <EndpointReview endpoint={endpoint} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <EndpointFacts endpoint={endpoint} />
            <SendMessages endpoint={endpoint} />
            <EndpointSecret endpoint={endpoint} />
            <DeleteEndpoint endpoint={endpoint} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Deliveries endpoint={endpoint} />
        </Grid.Col>
      </Grid>
      <DeliveryDrawer endpoint={endpoint} />
    </>
  );
}
