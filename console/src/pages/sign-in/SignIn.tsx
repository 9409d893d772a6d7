import { Anchor, Container, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { sessionQuery } from '../../api/session';
import { LogIn } from './LogIn';

/**
 * Opens a session, and continues to the requested page in place of this one; also once the operator has signed in on
 * another page.
 */
export function SignIn() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const enter = () => {
    // Clears all data of the previous operator.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    router.history.replace(next);
  };
  const { data: session = null } = useQuery({ ...sessionQuery, enabled: false });
  // Who opens this page with a session wants to sign in as someone else.
  const [hadSession] = useState(session !== null);
  const isSignedIn = session !== null && !hadSession;
  const goOn = useEffectEvent(enter);
  useEffect(() => {
    if (isSignedIn) goOn();
  }, [isSignedIn]);
  return (
    <Container component="main" size={420} py={80}>
      <title>Sign in · Tollgate</title>
      <Stack>
        <div>
          <Title order={1} size="h2">
            Tollgate
          </Title>
          <Text c="dimmed">Sign in to the operators’ console.</Text>
        </div>
        <Paper withBorder p="lg">
          <LogIn {...(hadSession && { onLoggedIn: enter })} />
        </Paper>
        <Text size="xs" c="dimmed">
          No account? Ask an admin of your organization for an invitation. Lost your password or device? Ask
          an owner for a reset link. What a program may do is in the{' '}
          <Anchor href="/docs" inherit>
            API reference
          </Anchor>
          .
        </Text>
      </Stack>
    </Container>
  );
}
