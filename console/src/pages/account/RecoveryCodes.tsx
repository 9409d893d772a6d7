import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../../ui/save-file';

/** Shows recovery codes, the only time they are shown. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isStored, setStored] = useState(false);
  const text = codes.join('\n');
  const download = () =>
    saveFile(
      'tollgate-recovery-codes.txt',
      `Recovery codes of Tollgate, ${window.location.host}\n\n${text}\n`,
    );
  return (
    <Stack>
      <Alert color="yellow" variant="light" title="Store these recovery codes now">
        Each signs you in once without the app. They are not shown again, and new codes replace them.
      </Alert>
      <Code block data-secret aria-label="Recovery codes">
        {text}
      </Code>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
        </CopyButton>
        <Button variant="default" onClick={download}>
          Download
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Keep them somewhere other than your phone.
      </Text>
      <Checkbox
        label="I have stored the codes"
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onClose} disabled={!isStored}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}
