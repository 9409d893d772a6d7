import {
  Anchor,
  Button,
  Container,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { CodeStep } from './CodeStep';
import { ProblemPanel } from '../../ui/ProblemPanel';

/** Opens a session, and leads to where one wanted to go. */
export function SignIn() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? 'Enter your email address.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
    },
  });
  const logIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => bodyOf(api.POST('/api/auth/login', { body })),
    onSuccess: async (answer) => {
      if (!('secondFactor' in answer)) await enter();
    },
  });
  const enter = async () => {
    await queries.query({ ...sessionQuery, staleTime: 0 });
    router.history.push(next);
  };
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
          {logIn.data !== undefined && 'secondFactor' in logIn.data ? (
            <CodeStep awaited={logIn.data} onLoggedIn={enter} onAgain={logIn.reset} />
          ) : (
            <form onSubmit={form.onSubmit((values) => logIn.mutate(values))} noValidate>
              <Stack>
                <TextInput
                  label="Email address"
                  type="email"
                  autoComplete="username"
                  autoFocus
                  {...form.getInputProps('email')}
                />
                <PasswordInput
                  label="Password"
                  autoComplete="current-password"
                  {...form.getInputProps('password')}
                />
                {logIn.isError && <ProblemPanel error={logIn.error} />}
                <Button type="submit" loading={logIn.isPending} fullWidth>
                  Sign in
                </Button>
              </Stack>
            </form>
          )}
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
