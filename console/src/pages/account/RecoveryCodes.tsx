import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { CloseOnceKept } from '../../ui/CloseOnceKept';
import { CopyText } from '../../ui/CopyText';
import { saveFile } from '../../ui/save-file';

interface RecoveryCodesProps {
  codes: readonly string[];
  isStored: boolean;
  onStored: (isStored: boolean) => void;
  onClose: () => void;
}

/** Shows recovery codes, the only time they are shown. */
export function RecoveryCodes({ codes, isStored, onStored, onClose }: RecoveryCodesProps) {
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
        {/* The button that was pressed is gone. */}
        <CopyText value={text} autoFocus />
        <Button variant="default" onClick={download}>
          Download
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Keep them somewhere other than your phone.
      </Text>
      <CloseOnceKept
        confirmation="I have stored the codes"
        isKept={isStored}
        onKept={onStored}
        onClose={onClose}
      />
    </Stack>
  );
}
