import {
  Alert,
  Button,
  Checkbox,
  Code,
  CopyButton,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { config } from '../../api/config';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import { ProblemPanel } from '../../ui/ProblemPanel';

/** Makes a key, and shows it the only time. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const { env, query } = useWorkspace();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? 'Say what it is for.' : null) },
  });
  const create = useMutation({
    mutationFn: ({ name }: typeof form.values) =>
      bodyOf(api.POST('/api/api-keys', { params: { query }, body: { name } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
    onError: (error) => form.setErrors(fieldErrors(error)),
    // The answer holds the key: nothing of it stays when the dialog closes.
    gcTime: 0,
  });
  const secret = create.data?.secret;
  if (secret !== undefined) return <ShowSecret secret={secret} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={`New key of the ${env}`}>
      <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
        <Stack>
          <TextInput
            label="Name"
            description="What uses it, for the list: the keys of two servers can then be revoked one by one."
            withAsterisk
            data-autofocus
            {...form.getInputProps('name')}
          />
          {create.isError && <ProblemPanel error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { env } = useWorkspace();
  const [isStored, setStored] = useState(false);
  const download = () => {
    const url = URL.createObjectURL(
      new Blob([`TOLLGATE_API_KEY=${secret}\nTOLLGATE_URL=${config.apiUrls[env]}\n`], { type: 'text/plain' }),
    );
    Object.assign(document.createElement('a'), { href: url, download: 'tollgate.env' }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <Modal
      opened
      onClose={() => isStored && onClose()}
      withCloseButton={false}
      title="The key, shown once"
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="light" title="Store it now">
          It is not stored here and cannot be shown again. A lost key is replaced by a new one.
        </Alert>
        <Code block data-secret>
          {secret}
        </Code>
        <Group>
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
          </CopyButton>
          <Button variant="default" onClick={download}>
            Download .env
          </Button>
        </Group>
        <Text size="sm">
          It works on <Code>{config.apiUrls[env]}</Code> and nowhere else.
        </Text>
        <Checkbox
          label="I have stored the key"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button onClick={onClose} disabled={!isStored}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
