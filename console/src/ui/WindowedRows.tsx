import { Table } from '@mantine/core';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';

interface WindowedRowsProps<Item> {
  items: Item[];
  keyOf: (item: Item) => string;
  /** Usual height of a row, in pixels. */
  rowPx: number;
  /** Whether every row is rendered, so that the browser's own search finds them all. */
  isWhole: boolean;
  /** Renders the cells of a row. */
  children: (item: Item) => ReactNode;
}

const OVERSCAN = 8;

/**
 * The body of a table that may be long. Unless it is whole, the page contains only the rows in view and the one with
 * the focus; the table needs `aria-rowcount`, which includes its head.
 */
export function WindowedRows<Item>({ items, keyOf, rowPx, isWhole, children }: WindowedRowsProps<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<string>();
  const kept = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: items.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: isWhole ? items.length : OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range);
      if (kept === -1 || kept >= range.count || inView.includes(kept)) return inView;
      return [...inView, kept].toSorted((one, other) => one - other);
    },
  });
  // `children` is a new function whenever the page is rendered, which may move the table. So may a part of the page
  // that is rendered alone, which changes the page's height. A change of the page's width moves it by a few pixels
  // only, which the rows rendered out of view compensate for.
  const measure = useEffectEvent(() => {
    if (body.current !== null) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });
  useLayoutEffect(() => measure(), [items, children]);
  useEffect(() => {
    const page = new ResizeObserver(() => measure());
    page.observe(document.body);
    return () => page.disconnect();
  }, []);
  const shown = rows.getVirtualItems();
  const end = shown.at(-1)?.end ?? top;
  return (
    <Table.Tbody
      ref={body}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A dialog returns the focus when it closes.
        const isLent = (relatedTarget?.closest('[role="dialog"]') ?? null) !== null;
        if (!isLent && !currentTarget.contains(relatedTarget)) setFocused(undefined);
      }}
    >
      {shown.map(({ index, start }, place) => {
        const item = items[index];
        if (item === undefined) return null;
        const key = keyOf(item);
        // One key for both. Otherwise the row with the focus would get a new element when its place among them changes.
        return (
          <Fragment key={key}>
            <Gap height={start - (shown[place - 1]?.end ?? top)} />
            <Table.Tr
              ref={rows.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              onFocus={() => setFocused(key)}
            >
              {children(item)}
            </Table.Tr>
          </Fragment>
        );
      })}
      <Gap height={rows.getTotalSize() + top - end} />
    </Table.Tbody>
  );
}

/** Placeholder for rows that are not in the page. */
function Gap({ height }: { height: number }) {
  if (height < 1) return null;
  return (
    <Table.Tr aria-hidden="true">
      <Table.Td p={0} style={{ height }} />
    </Table.Tr>
  );
}
