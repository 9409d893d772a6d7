import { Badge, VisuallyHidden } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { countInWords } from '../../../../src/domain/count-in-words.ts';
import type { StreamState } from './use-event-stream';

const WORDS: Record<StreamState, [words: string, sign: string, color: string]> = {
  connecting: ['connecting', '◌', 'gray'],
  live: ['live', '●', 'teal'],
  reconnecting: ['reconnecting', '◐', 'yellow'],
};

/** State of the stream. Screen readers announce a count now and then, not each event. */
export function StreamStatus({
  state,
  isPaused,
  count,
}: {
  state: StreamState;
  isPaused: boolean;
  /** How many of the shown events have come since the page was opened. */
  count: number;
}) {
  const [words, sign, color] = isPaused ? (['paused', '❙❙', 'blue'] as const) : WORDS[state];
  const said = useThrottledValue(count, 5_000);
  return (
    <>
      <Badge
        variant="light"
        color={color}
        c="var(--mantine-color-text)"
        tt="none"
        radius="sm"
        size="lg"
        // As wide in each state, because the filters are next to it.
        miw={136}
        leftSection={<span aria-hidden>{sign}</span>}
        data-stream={words}
      >
        {words}
      </Badge>
      <VisuallyHidden role="status" aria-live="polite">
        {said > 0 ? countInWords(said, 'new event', said.toLocaleString()) : ''}
      </VisuallyHidden>
    </>
  );
}
