import { Anchor, Group, Text } from '@mantine/core';
import type { UsageSeries } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';

/** Links to export all uses of a series, as files created by the API. */
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
