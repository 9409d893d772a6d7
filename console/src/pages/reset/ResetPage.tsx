import { Alert, Anchor, Button, Container, Paper, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { IncompleteLink } from '../../app/IncompleteLink';
import { useLinkToken } from '../../app/link-token';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { PasswordField } from '../../ui/PasswordField';
import { PasswordOwner } from '../../ui/PasswordOwner';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReadProblem } from '../../ui/ReadProblem';
import { newPasswordProblem, PASSWORD_RULE } from '../../ui/text-problems';
import { Time } from '../../ui/Time';
import { Loading } from '../../ui/Loading';

/** Target of a reset link: shows whose account it is for, and sets a new password. */
export function ResetPage() {
  const token = useLinkToken();
  // Another link opened in the same window changes only the token.
  return token === undefined ? <IncompleteLink /> : <Reset key={token} token={token} />;
}

function Reset({ token }: { token: string }) {
  const queries = useQueryClient();
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: () => bodyOf(api.POST('/api/auth/reset-links/look-up', { body: { token } })),
    retry: false,
    // A used link is invalid, but the result must stay visible below.
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.status === 'error',
  });
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: newPasswordProblem },
  });
  const use = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      bodyOf(api.POST('/api/auth/reset-links/use', { body: { token, password } })),
    onSuccess: () => queries.setQueryData(sessionQuery.queryKey, null),
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <Container component="main" size={440} py={80}>
      <title>Reset · Tollgate</title>
      <Stack>
        <Title order={1} size="h2">
          Reset your account
        </Title>
        {link.isPending && <Loading label="Loading the link" />}
        {link.isError && <ReadProblem read={link} />}
        {use.isSuccess && (
          <Alert color="green" variant="light" title="The account is reset" role="status">
            Its second factor was removed and its sessions have ended.{' '}
            <Anchor component={Link} to="/sign-in" replace inherit>
              Sign in as {use.data.email} with the new password
            </Anchor>
            .
          </Alert>
        )}
        {link.isSuccess && !use.isSuccess && (
          <Paper withBorder p="lg">
            <Form form={form} onSubmit={(values) => use.mutate(values)} refused={use.error}>
              <Stack>
                <Text>
                  An owner of{' '}
                  <b>
                    <bdi>{link.data.organizationName}</bdi>
                  </b>{' '}
                  lets <b>{link.data.email}</b> reset the account: with a new password, without a second
                  factor, and signed out everywhere. The link works once, until{' '}
                  <Time at={link.data.expiresAt} />.
                </Text>
                <PasswordOwner email={link.data.email} />
                <PasswordField
                  label="New password"
                  description={PASSWORD_RULE}
                  autoComplete="new-password"
                  required
                  {...form.getInputProps('password')}
                />
                {use.isError && <ProblemPanel error={use.error} />}
                <Button type="submit" loading={use.isPending}>
                  Reset the account
                </Button>
              </Stack>
            </Form>
          </Paper>
        )}
      </Stack>
    </Container>
  );
}
