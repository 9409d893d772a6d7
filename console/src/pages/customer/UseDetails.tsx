import { Stack, Text } from '@mantine/core';
import type { UsageEvent } from '../../api/resources';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { formatCredits, formatQuantity } from '../../ui/quantity';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { Dialog } from '../../ui/Dialog';

/** All details of a recorded use. */
export function UseDetails({ use, onClose }: { use: UsageEvent; onClose: () => void }) {
  const { reversal } = use;
  const actor = reversal?.actor.operatorId ?? reversal?.actor.apiKeyId ?? null;
  return (
    <Dialog opened onClose={onClose} title="A recorded use" size="lg">
      <Stack>
        <Facts
          facts={[
            ['Id', <Id key="id" value={use.id} />],
            ['Feature', use.feature],
            ['Quantity', formatQuantity(use.quantity)],
            ['Used', <Time key="used" at={use.timestamp} precision="second" />],
            ['Recorded', <Time key="recorded" at={use.recordedAt} precision="second" />],
            use.late && ['Late', 'Its usage period was closed when it was recorded.'],
            ['Source', <bdi key="source">{use.source}</bdi>],
            use.entity !== null && ['Used by', <bdi key="entity">{use.entity}</bdi>],
            ['Idempotency key', <bdi key="key">{use.idempotencyKey}</bdi>],
            use.deductions.length > 0 && ['Taken from', <Taken key="taken" use={use} />],
          ]}
        />
        <Properties properties={use.properties} />
        {reversal !== null && (
          <Facts
            facts={[
              ['Reversed', formatQuantity(reversal.quantity)],
              ['When', <Time key="when" at={reversal.reversedAt} precision="second" />],
              ['Reason', <bdi key="reason">{reversal.reason}</bdi>],
              actor !== null && [
                reversal.actor.operatorId === null ? 'By the API key' : 'By the operator',
                <Id key="by" value={actor} />,
              ],
            ]}
          />
        )}
      </Stack>
    </Dialog>
  );
}

function Taken({ use: { deductions } }: { use: UsageEvent }) {
  return (
    <Stack gap={0}>
      {deductions.map(({ from, quantity, credits, subscriptionId }, place) => (
        <Text key={place} size="sm">
          {formatQuantity(quantity)} {credits === undefined ? from : `by ${formatCredits(credits)}`} in{' '}
          <WorkspaceLink path={`/subscriptions/${subscriptionId}`}>{subscriptionId}</WorkspaceLink>
        </Text>
      ))}
    </Stack>
  );
}

function Properties({ properties }: Pick<UsageEvent, 'properties'>) {
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It was tracked without properties.
      </Text>
    );
  return (
    <Facts
      facts={entries.map(([name, value]) => [
        name,
        <bdi key={name}>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>,
      ])}
    />
  );
}
