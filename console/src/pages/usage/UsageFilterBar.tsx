import { Select, SimpleGrid } from '@mantine/core';
import { useWorkspace } from '../../app/workspace';
import { meteredChoices } from '../../ui/catalogue-choices';
import { SearchSelect, useChosenItem } from '../../ui/SearchSelect';
import { isolate } from '../../ui/isolate';
import { VIEWER_ZONE, ZONES } from '../../ui/zone';
import { CustomerFilter } from './CustomerFilter';
import { DayFilter } from './DayFilter';
import type { Grouping, UsageFilters } from './filters';
import { isAnswered, RANGES, UNITS, usualUnit, type ChosenTime, type Range } from './range';

interface UsageFilterBarProps {
  filters: UsageFilters;
  onChange: (filters: UsageFilters) => void;
  /** The workspace's current day in the zone; the initial value when choosing days. */
  today: string;
}

/** The filters and the grouping of usage. */
export function UsageFilterBar({ filters, onChange, today }: UsageFilterBarProps) {
  const { query } = useWorkspace();
  const features = meteredChoices(query);
  const dimensions = useChosenItem(features, filters.feature ?? null)?.dimensions ?? [];
  const { time, unit, zone, feature, customer, grouping } = filters;
  const setTime = (chosen: ChosenTime) => onChange({ ...filters, time: chosen, unit: usualUnit(chosen) });
  const isGrouped = grouping.by !== 'none';
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" verticalSpacing="xs">
      <Select
        label="Time"
        allowDeselect={false}
        data={[
          ...Object.entries(RANGES).map(([value, { title }]) => ({ value, label: `Last ${title}` })),
          { value: 'days', label: 'From day to day' },
        ]}
        value={'range' in time ? time.range : 'days'}
        onChange={(value) =>
          setTime(value === 'days' ? { firstDay: today, lastDay: today } : { range: value as Range })
        }
      />
      {!('range' in time) && (
        <>
          <DayFilter
            label="First day"
            day={time.firstDay}
            onChoose={(day) => setTime({ firstDay: day, lastDay: day > time.lastDay ? day : time.lastDay })}
          />
          <DayFilter
            label="Last day"
            day={time.lastDay}
            onChoose={(day) => setTime({ firstDay: day < time.firstDay ? day : time.firstDay, lastDay: day })}
          />
        </>
      )}
      <Select
        label="A bar for each"
        allowDeselect={false}
        data={UNITS.map((value) => ({ value, label: value, disabled: !isAnswered(time, value, isGrouped) }))}
        value={unit}
        onChange={(value) => onChange({ ...filters, unit: value ?? unit })}
      />
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        limit={60}
        data={[...new Set([...ZONES, VIEWER_ZONE, zone])]}
        value={zone}
        onChange={(value) => onChange({ ...filters, zone: value ?? VIEWER_ZONE })}
      />
      <SearchSelect
        label="Feature"
        clearable
        placeholder="Every feature"
        nothingFoundMessage="There is no such feature."
        choices={features}
        value={feature ?? null}
        onChange={(value) =>
          onChange({
            ...filters,
            feature: value ?? undefined,
            grouping: grouping.by === 'dimension' ? { by: 'none' } : grouping,
          })
        }
      />
      <CustomerFilter value={customer} onChange={(chosen) => onChange({ ...filters, customer: chosen })} />
      <Select
        label="Split by"
        allowDeselect={false}
        data={[
          { value: 'none', label: 'Nothing' },
          { value: 'feature', label: 'Feature' },
          { value: 'customer', label: 'Customer' },
          ...dimensions.map((name) => ({ value: `dimension ${name}`, label: isolate(name) })),
        ]}
        value={grouping.by === 'dimension' ? `dimension ${grouping.dimension}` : grouping.by}
        onChange={(value) => onChange({ ...filters, grouping: groupingOf(value ?? 'none') })}
      />
    </SimpleGrid>
  );
}

function groupingOf(value: string): Grouping {
  if (value === 'feature' || value === 'customer') return { by: value };
  if (value.startsWith('dimension ')) return { by: 'dimension', dimension: value.slice('dimension '.length) };
  return { by: 'none' };
}
