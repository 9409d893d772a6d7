import { Badge, Group, Paper, ScrollArea, Stack, Text, Title } from '@mantine/core';
import type { WebhookDelivery } from '../../api/resources';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

type Attempt = WebhookDelivery['attempts'][number];

/** Each attempt with its answer, newest first. */
export function Attempts({ delivery: { attempts, status } }: { delivery: WebhookDelivery }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length === 0 && (
        <Text size="sm">{status === 'pending' ? 'None has ended yet.' : 'None was made.'}</Text>
      )}
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {attempts.map((attempt) => (
          <Paper key={attempt.id} component="li" withBorder p="sm">
            <AttemptDetails attempt={attempt} />
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
}

function AttemptDetails({
  attempt: { attemptedAt, durationMs, statusCode, error, answer },
}: {
  attempt: Attempt;
}) {
  const isTaken = statusCode !== null && statusCode >= 200 && statusCode <= 299;
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <StatusBadge status={isTaken ? 'delivered' : 'failed'} />
        {statusCode !== null && (
          <Badge variant="default" radius="sm" tt="none">
            HTTP {statusCode}
          </Badge>
        )}
        <Text size="sm" c="dimmed">
          <Time at={attemptedAt} precision="second" />, {durationMs.toLocaleString()} ms
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{error}</bdi>
        </Text>
      )}
      {answer !== null && answer !== '' && (
        <ScrollArea.Autosize mah={200} type="auto">
          <Text
            component="pre"
            size="xs"
            m={0}
            tabIndex={0}
            aria-label="The answer"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            <bdi>{answer}</bdi>
          </Text>
        </ScrollArea.Autosize>
      )}
      {answer === '' && (
        <Text size="xs" c="dimmed">
          The answer was empty.
        </Text>
      )}
    </Stack>
  );
}
