import { Button, Checkbox, Group } from '@mantine/core';

interface CloseOnceKeptProps {
  /** What the operator confirms, as a sentence. */
  confirmation: string;
  isKept: boolean;
  onKept: (isKept: boolean) => void;
  onClose: () => void;
}

/** The end of a dialog that shows something once: it can be closed once the operator confirms that it is kept. */
export function CloseOnceKept({ confirmation, isKept, onKept, onClose }: CloseOnceKeptProps) {
  return (
    <>
      <Checkbox
        label={confirmation}
        checked={isKept}
        onChange={(event) => onKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button onClick={onClose} disabled={!isKept}>
          Close
        </Button>
      </Group>
    </>
  );
}
