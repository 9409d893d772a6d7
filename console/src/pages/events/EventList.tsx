import { UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { DeveloperEvent } from '../../api/resources';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { formatTime, formatUtc } from '../../ui/time';
import classes from './EventList.module.css';

interface EventListProps {
  events: DeveloperEvent[];
  onOpen: (event: DeveloperEvent) => void;
  /** Called near the end of the list, to load older events. */
  onEnd: () => void;
}

const ROW_PX = 40;
const NEAR = 20;

/** A long list of events. Only those in view are in the page. */
export function EventList({ events, onOpen, onEnd }: EventListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= events.length - NEAR) onEnd();
  }, [last, events.length, onEnd]);
  return (
    <div ref={frame} className={classes.frame} tabIndex={0} role="region" aria-label="Events">
      <ul className={classes.list} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const event = events[index];
          if (event === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              data-event={event.id}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <UnstyledButton className={classes.event} onClick={() => onOpen(event)}>
                <time
                  className={classes.time}
                  dateTime={event.createdAt}
                  dir="auto"
                  title={formatUtc(event.createdAt)}
                >
                  {formatTime(event.createdAt, 'second')}
                </time>
                <StatusBadge status={event.status} />
                <bdi className={classes.message}>
                  <Sentence text={event.message} />
                </bdi>
                <bdi className={classes.source}>{event.source}</bdi>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
