import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CloseOnceKept } from './CloseOnceKept';
import { CopyText } from './CopyText';
import { Dialog } from './Dialog';
import { saveFile } from './save-file';

interface ShownOnceProps {
  title: string;
  secret: string;
  /** What to do if it is lost, as a sentence. */
  whenLost: string;
  /** The file that it can be stored in. */
  file: { name: string; text: string };
  /** Text that the operator confirms before it closes. */
  confirmation: string;
  onClose: () => void;
  /** Where it is used. */
  children: ReactNode;
}

/** Shows a new secret, the only time it is shown. It closes once the operator confirms that it is stored. */
export function ShownOnce(props: ShownOnceProps) {
  const { title, secret, whenLost, file, confirmation, onClose, children } = props;
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      isTyped={!isStored}
      opened
      onClose={() => isStored && onClose()}
      withCloseButton={false}
      title={title}
      size="lg"
    >
      <Stack>
        <Alert color="yellow" variant="light" title="Store it now">
          It cannot be shown again. {whenLost}
        </Alert>
        <Code block data-secret>
          {secret}
        </Code>
        <Group>
          <CopyText value={secret} />
          <Button variant="default" onClick={() => saveFile(file.name, file.text)}>
            Download .env
          </Button>
        </Group>
        <Text size="sm">{children}</Text>
        <CloseOnceKept confirmation={confirmation} isKept={isStored} onKept={setStored} onClose={onClose} />
      </Stack>
    </Dialog>
  );
}
