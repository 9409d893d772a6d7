import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { refreshIfOutdated } from '../../api/problem';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import { Form } from '../../ui/Form';
import { SCOPES, USUAL_SCOPES } from './key-scopes';
import { ShowSecret } from './ShowSecret';
import { Dialog } from '../../ui/Dialog';
import { DialogActions } from '../../ui/DialogActions';

/** Creates a key, and shows it once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const { env, query } = useWorkspace();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: '', scopes: USUAL_SCOPES },
    validate: {
      name: (value) => (value.trim() === '' ? 'Say what it is for.' : null),
      scopes: (value) => (value.length === 0 ? 'Choose what it may do.' : null),
    },
  });
  const create = useMutation({
    mutationFn: ({ name, scopes }: typeof form.values) =>
      bodyOf(api.POST('/api/api-keys', { params: { query }, body: { name: name.trim(), scopes } })),
    // Not awaited: the secret is shown at once, however long the list takes.
    onSuccess: () => void invalidate(queries, [['api-keys']]),
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      refreshIfOutdated(queries, error, [['api-keys']]);
    },
    // The answer contains the key, which must not be kept once the dialog closes.
    gcTime: 0,
  });
  const secret = create.data?.secret;
  if (secret !== undefined) return <ShowSecret secret={secret} onClose={onClose} />;
  return (
    <Dialog
      isBusy={create.isPending}
      isTyped={form.isDirty()}
      opened
      onClose={onClose}
      title={`New key of ${environmentInWords(env)}`}
    >
      <Form form={form} onSubmit={(values) => create.mutate(values)} refused={create.error}>
        <Stack>
          <TextInput
            label="Name"
            description="What uses it, for the list: the keys of two servers can then be revoked one by one."
            withAsterisk
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Checkbox.Group
            label="Scopes"
            description="What it is allowed to do. A server that only checks and tracks needs only usage."
            {...form.getInputProps('scopes')}
          >
            <Stack gap="xs" mt="xs">
              {Object.entries(SCOPES).map(([scope, about]) => (
                <Checkbox key={scope} value={scope} label={scope} description={about} />
              ))}
            </Stack>
          </Checkbox.Group>
          <DialogActions action={create} submit="Create key" onCancel={onClose} />
        </Stack>
      </Form>
    </Dialog>
  );
}
