import { Anchor, Group, Text } from '@mantine/core';
import type { UsageSeries } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';

/** Every single use of a series, as files that the API makes. */
export function ExportUses({ series: { from, to, feature, customer } }: { series: UsageSeries }) {
  const { query } = useWorkspace();
  const address = (format: 'csv' | 'ndjson') =>
    `/api/billing/usage/export?${new URLSearchParams({
      ...query,
      format,
      from,
      to,
      ...(feature !== null && { feature }),
      ...(customer !== null && { customer }),
    }).toString()}`;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        Every use of this time:
      </Text>
      <Anchor size="sm" href={address('csv')} download="usage-events.csv">
        CSV
      </Anchor>
      <Anchor size="sm" href={address('ndjson')} download="usage-events.ndjson">
        NDJSON
      </Anchor>
    </Group>
  );
}
