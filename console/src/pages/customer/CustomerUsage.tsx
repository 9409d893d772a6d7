import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Customer } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { Panel } from '../../ui/Panel';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { VIEWER_ZONE } from '../../ui/zone';
import { clockQuery } from '../../app/clock-query';
import { usageSearch, type UsageFilters } from '../usage/filters';
import { RANGES, usualUnit, type Range } from '../usage/range';
import { Series } from '../usage/Series';

/** A customer's usage over time, by feature. */
export function CustomerUsage({ customer }: { customer: Customer }) {
  const { query } = useWorkspace();
  const clock = useQuery(clockQuery(query));
  const [range, setRange] = useState<Range>('30d');
  const filters: UsageFilters = {
    time: { range },
    unit: usualUnit({ range }),
    zone: VIEWER_ZONE,
    customer: customer.externalId,
    grouping: { by: 'feature' },
  };
  return (
    <Panel
      title="Usage"
      actions={
        <WorkspaceLink size="sm" path={`/usage${defaultStringifySearch(usageSearch(filters))}`}>
          Other times and units
        </WorkspaceLink>
      }
    >
      <Stack>
        <SegmentedControl
          aria-label="Time"
          size="xs"
          data={Object.entries(RANGES).map(([value, { title }]) => ({ value, label: title }))}
          value={range}
          onChange={(value) => setRange(value as Range)}
        />
        {clock.isError && <ProblemPanel error={clock.error} retry={() => void clock.refetch()} />}
        {clock.data !== undefined && (
          <Series
            filters={filters}
            now={Date.parse(clock.data.now)}
            ifEmpty="Choose a longer time. What your application tracks with the customer’s external id shows here immediately."
          />
        )}
      </Stack>
    </Panel>
  );
}
