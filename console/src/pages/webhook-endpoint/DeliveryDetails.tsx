import { Group, Stack, Text } from '@mantine/core';
import type { WebhookDelivery, WebhookEndpoint } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { Attempts } from './Attempts';
import { Payload } from './Payload';
import { ResendDelivery } from './ResendDelivery';

interface DeliveryDetailsProps {
  endpoint: WebhookEndpoint;
  delivery: WebhookDelivery;
}

/** A message to an endpoint, with each attempt. */
export function DeliveryDetails({ endpoint, delivery }: DeliveryDetailsProps) {
  const { messageId, type, resource, sequence, status, attemptCount, nextAttemptAt, endedAt } = delivery;
  return (
    <Stack>
      <Group gap="sm">
        <StatusBadge status={status} />
        <Text size="sm" fw={600}>
          {type}
        </Text>
      </Group>
      <Facts
        facts={[
          ['webhook-id', <Id key="id" value={messageId} />],
          [
            'About',
            <span key="about">
              {resource.type.replaceAll('_', ' ')} <Id value={resource.id} />
            </span>,
          ],
          ['Sequence', sequence.toLocaleString()],
          ['Written', <Time key="written" at={delivery.createdAt} precision="second" />],
          ['Attempts', attemptCount],
          nextAttemptAt !== null && [
            'Next attempt',
            <Time key="next" at={nextAttemptAt} precision="second" />,
          ],
          endedAt !== null && ['Ended', <Time key="ended" at={endedAt} precision="second" />],
        ]}
      />
      <ResendDelivery endpoint={endpoint} delivery={delivery} />
      <Payload messageId={messageId} />
      <Attempts delivery={delivery} />
    </Stack>
  );
}
