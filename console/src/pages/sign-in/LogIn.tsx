import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { announceSession } from '../../app/other-pages';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { PasswordField } from '../../ui/PasswordField';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { emailProblem } from '../../ui/text-problems';
import { CodeStep } from './CodeStep';

interface LogInProps {
  /** Address of the operator, if it is known. */
  email?: string;
  /** Called once the page has read the session. */
  onLoggedIn?: () => void;
}

/** Opens a session with the password, and the second factor if the account has one. */
export function LogIn({ email = '', onLoggedIn }: LogInProps) {
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { email, password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? 'Enter your email address.' : emailProblem(value)),
      password: (value) => (value === '' ? 'Enter your password.' : null),
    },
  });
  const logIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => bodyOf(api.POST('/api/auth/login', { body })),
    onSuccess: async (answer) => {
      if (!('secondFactor' in answer)) await enter();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const enter = async () => {
    announceSession();
    await queries.query({ ...sessionQuery, staleTime: 0 });
    onLoggedIn?.();
  };
  if (logIn.data !== undefined && 'secondFactor' in logIn.data)
    return <CodeStep awaited={logIn.data} onLoggedIn={enter} onAgain={logIn.reset} />;
  return (
    <Form form={form} onSubmit={(values) => logIn.mutate(values)} refused={logIn.error}>
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          autoFocus={email === ''}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...(email !== '' && { 'data-autofocus': true })}
          {...form.getInputProps('password')}
        />
        {logIn.isError && <ProblemPanel error={logIn.error} />}
        <Button type="submit" loading={logIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </Form>
  );
}
