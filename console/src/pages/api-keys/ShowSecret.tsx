import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { config } from '../../api/config';
import { useWorkspace } from '../../app/workspace';

/** A new key, the only time that it is shown. */
export function ShowSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
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
