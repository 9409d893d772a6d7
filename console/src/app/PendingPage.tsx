import { Center } from '@mantine/core';
import { Loading } from '../ui/Loading';

/** Shown while a page is loading. */
export function PendingPage() {
  return (
    <Center py="xl">
      <Loading label="Loading" />
    </Center>
  );
}
