import { Center, Loader } from '@mantine/core';

/** What stands there while a page is loaded. */
export function PendingPage() {
  return (
    <Center py="xl">
      <Loader aria-label="Loading" />
    </Center>
  );
}
