import { Tooltip } from '@mantine/core';
import { formatDistance, formatTime, formatUtc } from './time';

interface TimeProps {
  at: string | null;
  precision?: 'day' | 'minute' | 'second';
  /** Adds `in 3 days`, relative to this time: workspace time, or real time. */
  from?: number;
}

/**
 * An instant in the viewer's time zone, and in UTC on hover. It has the direction of the viewer's locale, because
 * within an English sentence the parts of a Hebrew or Persian date would be read in another order.
 */
export function Time({ at, precision = 'minute', from }: TimeProps) {
  if (at === null) return <>–</>;
  return (
    <Tooltip label={formatUtc(at)} withArrow>
      <time dateTime={at} dir="auto">
        {formatTime(at, precision)}
        {from !== undefined && ` (${formatDistance(at, from)})`}
      </time>
    </Tooltip>
  );
}
