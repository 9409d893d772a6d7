import { Center, Loader } from '@mantine/core';

/** Shown while a page is loading. */
export function PendingPage() {
  return (
    <Center py="xl">
      <Loader aria-label="Loading" />
    </Center>
  );
}
