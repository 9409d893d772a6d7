import { Badge, Text } from '@mantine/core';

/** What a state means for the reader: nothing to do, wait, attention needed, or ended. */
type Tone = 'well' | 'waiting' | 'trouble' | 'over' | 'neutral';

const TONES: Record<Tone, { color: string; sign: string }> = {
  well: { color: 'teal', sign: '●' },
  waiting: { color: 'yellow', sign: '◐' },
  trouble: { color: 'red', sign: '▲' },
  over: { color: 'gray', sign: '○' },
  neutral: { color: 'blue', sign: '◆' },
};

const STATES: Record<string, Tone> = {
  active: 'well',
  trialing: 'neutral',
  incomplete: 'waiting',
  past_due: 'trouble',
  cancelled: 'over',
  expired: 'over',
  paid: 'well',
  succeeded: 'well',
  complete: 'well',
  applied: 'well',
  OK: 'well',
  pending: 'waiting',
  PENDING: 'waiting',
  partially_paid: 'waiting',
  open: 'waiting',
  accepted: 'waiting',
  refused: 'trouble',
  abandoned: 'over',
  held: 'waiting',
  confirmed: 'well',
  released: 'over',
  enabled: 'well',
  failing: 'trouble',
  disabled: 'over',
  delivered: 'well',
  failed: 'trouble',
  ERROR: 'trouble',
  DENIED: 'trouble',
  void: 'over',
};

/** A state as text, with a sign in addition to the colour. */
export function StatusBadge({ status }: { status: string }) {
  const { color, sign } = TONES[STATES[status] ?? 'neutral'];
  return (
    <Badge
      variant="light"
      color={color}
      c="var(--mantine-color-text)"
      leftSection={
        <Text span inherit c={color} aria-hidden>
          {sign}
        </Text>
      }
      tt="none"
      radius="sm"
      miw="max-content"
    >
      {status.toLowerCase().replaceAll('_', ' ')}
    </Badge>
  );
}
