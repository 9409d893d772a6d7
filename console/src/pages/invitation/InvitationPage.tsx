import { Button, Container, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { IncompleteLink } from '../../app/IncompleteLink';
import { useLinkToken } from '../../app/link-token';
import { announceSession } from '../../app/other-pages';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { PasswordField } from '../../ui/PasswordField';
import { PasswordOwner } from '../../ui/PasswordOwner';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReadProblem } from '../../ui/ReadProblem';
import { newPasswordProblem, PASSWORD_RULE } from '../../ui/text-problems';
import { Time } from '../../ui/Time';
import { CodeStep } from '../sign-in/CodeStep';
import { Loading } from '../../ui/Loading';

/** Target of an invitation's link: shows the invitation, and accepts it. */
export function InvitationPage() {
  const token = useLinkToken();
  // Another link opened in the same window changes only the token.
  return token === undefined ? <IncompleteLink /> : <Invitation key={token} token={token} />;
}

function Invitation({ token }: { token: string }) {
  const router = useRouter();
  const queries = useQueryClient();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => bodyOf(api.POST('/api/auth/invitations/look-up', { body: { token } })),
    retry: false,
  });
  const hasAccount = invitation.data?.hasAccount === true;
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: hasAccount ? {} : { password: newPasswordProblem },
  });
  const accept = useMutation({
    mutationFn: ({ name, password }: typeof form.values) =>
      bodyOf(
        api.POST('/api/auth/invitations/accept', {
          body: { token, password, ...(!hasAccount && { name }) },
        }),
      ),
    onSuccess: async (answer) => {
      if (!('secondFactor' in answer)) await enter();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const enter = async () => {
    announceSession();
    await queries.query({ ...sessionQuery, staleTime: 0 });
    // Replaced, because the link no longer works.
    router.history.replace('/');
  };
  const awaited = accept.data !== undefined && 'secondFactor' in accept.data ? accept.data : undefined;
  return (
    <Container component="main" size={440} py={80}>
      <title>Invitation · Tollgate</title>
      <Stack>
        <Title order={1} size="h2">
          Invitation
        </Title>
        {invitation.isPending && <Loading label="Loading the invitation" />}
        {invitation.isError && <ReadProblem read={invitation} />}
        {awaited !== undefined && (
          <Paper withBorder p="lg">
            <CodeStep
              awaited={awaited}
              send={(secondFactor) =>
                bodyOf(
                  api.POST('/api/auth/invitations/accept/second-factor', { body: { token, secondFactor } }),
                )
              }
              onLoggedIn={enter}
              onAgain={accept.reset}
            />
          </Paper>
        )}
        {invitation.isSuccess && awaited === undefined && (
          <Paper withBorder p="lg">
            <Form
              form={form}
              onSubmit={(values) => accept.mutate(values)}
              refused={accept.error}
              isCheckedByBrowser
            >
              <Stack>
                <Text>
                  <b>
                    <bdi>{invitation.data.organizationName}</bdi>
                  </b>{' '}
                  invites <b>{invitation.data.email}</b> as {invitation.data.role}. The link works once, until{' '}
                  <Time at={invitation.data.expiresAt} />.
                </Text>
                <PasswordOwner email={invitation.data.email} />
                {!invitation.data.hasAccount && (
                  <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('name')} />
                )}
                <PasswordField
                  label={invitation.data.hasAccount ? 'The password of your account' : 'A password'}
                  description={invitation.data.hasAccount ? undefined : PASSWORD_RULE}
                  autoComplete={invitation.data.hasAccount ? 'current-password' : 'new-password'}
                  required
                  {...form.getInputProps('password')}
                />
                {accept.isError && <ProblemPanel error={accept.error} />}
                <Button type="submit" loading={accept.isPending}>
                  {invitation.data.hasAccount ? 'Join' : 'Create the account and join'}
                </Button>
              </Stack>
            </Form>
          </Paper>
        )}
      </Stack>
    </Container>
  );
}
