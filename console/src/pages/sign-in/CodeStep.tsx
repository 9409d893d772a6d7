import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { SecondFactorAwaited } from '../../api/resources';
import { CodeInput } from '../../ui/CodeInput';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { ProblemPanel } from '../../ui/ProblemPanel';

interface CodeStepProps {
  awaited: SecondFactorAwaited;
  /** Sends the code to another endpoint than that of a plain log-in. */
  send?: (secondFactor: { token: string; code: string }) => Promise<unknown>;
  onLoggedIn: () => Promise<void>;
  /** Returns to the password. */
  onAgain: () => void;
}

const finishLogIn = (body: { token: string; code: string }) =>
  bodyOf(api.POST('/api/auth/login/second-factor', { body }));

/** Second step of a log-in. */
export function CodeStep({ awaited, send = finishLogIn, onLoggedIn, onAgain }: CodeStepProps) {
  const { token } = awaited.secondFactor;
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? 'Enter a code.' : null) },
  });
  const finish = useMutation({
    mutationFn: (code: string) => send({ token, code }),
    onSuccess: onLoggedIn,
    onError: (error) => {
      form.reset();
      form.setErrors(fieldErrors(error));
    },
  });
  return (
    <Form form={form} onSubmit={({ code }) => finish.mutate(code.trim())} refused={finish.error}>
      <Stack>
        <Text size="sm">The password is right. Your account has a second factor.</Text>
        <CodeInput autoFocus {...form.getInputProps('code')} />
        {finish.isError && <ProblemPanel error={finish.error} />}
        <Button type="submit" loading={finish.isPending} fullWidth>
          Continue
        </Button>
        <Button variant="subtle" onClick={onAgain} fullWidth>
          Begin again
        </Button>
        <Text size="xs" c="dimmed">
          Neither the app nor a recovery code? Ask an owner of your organization for a reset link.
        </Text>
      </Stack>
    </Form>
  );
}
