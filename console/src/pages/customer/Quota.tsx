import { Group, Progress, Stack, Text } from '@mantine/core';
import type { CustomerEntitlement } from '../../api/resources';
import { formatQuantity } from '../../ui/quantity';

/** Shows how much of a quota is used and reserved, and what earlier periods contribute. */
export function Quota({ entitlement }: { entitlement: CustomerEntitlement }) {
  const { kind, name, usage, quota, unlimited, enforcement, plan, reserved, rollover } = entitlement;
  if (plan === null) return <Text size="sm">–</Text>;
  if (kind === 'boolean') return <Text size="sm">on</Text>;
  if (unlimited) return <Text size="sm">{formatQuantity(usage)} used, unlimited</Text>;
  if (quota === null) return <Text size="sm">{formatQuantity(usage)} used, a quota for each entity</Text>;
  const percentOf = (units: number) => (quota === 0 ? 100 : (100 * units) / quota);
  const used = Math.min(100, percentOf(usage));
  const held = reserved === 0 ? 0 : Math.min(100 - used, percentOf(reserved));
  const words = `${name}: ${usage} of ${quota} used${reserved > 0 ? `, ${reserved} held` : ''}`;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {formatQuantity(usage)} of {formatQuantity(quota)}
        </Text>
        {enforcement === 'soft' && (
          <Text size="xs" c="dimmed">
            more is overage
          </Text>
        )}
      </Group>
      <Progress.Root>
        <Progress.Section
          value={used}
          color={used >= 100 ? 'red' : used >= 80 ? 'yellow' : 'blue'}
          aria-label={words}
        />
        {held > 0 && <Progress.Section value={held} color="gray" striped withAria={false} />}
      </Progress.Root>
      {reserved > 0 && (
        <Text size="xs" c="dimmed">
          {formatQuantity(reserved)} held by reservations
        </Text>
      )}
      {rollover > 0 && (
        <Text size="xs" c="dimmed">
          {formatQuantity(rollover)} more from earlier periods
        </Text>
      )}
    </Stack>
  );
}
