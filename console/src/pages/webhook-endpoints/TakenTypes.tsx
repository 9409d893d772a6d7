import { Text } from '@mantine/core';

interface TakenTypesProps {
  /** null for all. */
  types: readonly string[] | null;
  /** How many are named before the rest is counted. */
  shown: number;
}

/** The types that an endpoint subscribes to. */
export function TakenTypes({ types, shown }: TakenTypesProps) {
  if (types === null) return 'all';
  const more = types.length - shown;
  return (
    <>
      {types.slice(0, more > 1 ? shown : types.length).map((type) => (
        <Text key={type} size="sm">
          {type}
        </Text>
      ))}
      {more > 1 && (
        <Text size="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </>
  );
}
