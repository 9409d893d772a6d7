import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { invalidate } from '../api/invalidate';
import { sessionQuery, useSession } from '../api/session';
import { isSignInAsked, onSignInAsked, stopAsking } from '../api/session-end';
import { LogIn } from '../pages/sign-in/LogIn';
import { Dialog } from '../ui/Dialog';

/** Sign-in over a page whose session ended while a form was open. */
export function SignInAgain() {
  return useSyncExternalStore(onSignInAsked, isSignInAsked) ? <SignInDialog /> : null;
}

function SignInDialog() {
  const { operator } = useSession();
  const queries = useQueryClient();
  // Reads that failed in the meantime are repeated once it closes.
  useEffect(() => () => void invalidate(queries, ([kind]) => kind !== sessionQuery.queryKey[0]), [queries]);
  const leave = () => {
    queries.setQueryData(sessionQuery.queryKey, null);
    stopAsking();
  };
  return (
    <Dialog
      opened
      onClose={() => undefined}
      title="Your session has ended"
      // Above the search, too.
      zIndex={10_000}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text size="sm">
          Sign in again as <bdi>{operator.email}</bdi>. What you have entered stays; nothing is sent until you
          send it.
        </Text>
        <LogIn email={operator.email} />
        <Button variant="subtle" fullWidth onClick={leave}>
          Leave and discard changes
        </Button>
      </Stack>
    </Dialog>
  );
}
