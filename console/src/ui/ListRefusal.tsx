import { Text } from '@mantine/core';

interface ListRefusalProps {
  /** By which the buttons of the rows are described. */
  id: string;
  /** What cannot be done, such as `Taking a use back`. */
  of: string;
  /** Why not; null where it can. */
  refusal: string | null;
}

/** Why the buttons in a list's rows cannot be pressed: once, because each row would repeat it. */
export function ListRefusal({ id, of, refusal }: ListRefusalProps) {
  if (refusal === null) return null;
  return (
    <Text id={id} size="sm" c="dimmed">
      {of}: {refusal}
    </Text>
  );
}
