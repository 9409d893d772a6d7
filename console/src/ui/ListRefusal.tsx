import { Text } from '@mantine/core';

interface ListRefusalProps {
  /** Id of this text, by which the rows' buttons are described. */
  id: string;
  /** The action that is not possible, such as `Reversing a use`. */
  of: string;
  /** Why it is not possible; null if it is. */
  refusal: string | null;
}

/** Explains once why the buttons in a list's rows are disabled, because each row would repeat it. */
export function ListRefusal({ id, of, refusal }: ListRefusalProps) {
  if (refusal === null) return null;
  return (
    <Text id={id} size="sm" c="dimmed">
      {of}: {refusal}
    </Text>
  );
}
