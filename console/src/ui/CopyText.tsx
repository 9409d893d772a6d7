import { Button, Text, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';

/** What to do if the browser does not copy: without permission, or over http. */
export const NOT_COPIED = 'The browser has not copied it: select the text, and copy it yourself.';

interface CopyTextProps extends ButtonProps {
  value: string;
  autoFocus?: boolean;
}

/** A button that copies text, and says whether it was copied. */
export function CopyText({ value, ...button }: CopyTextProps) {
  const { copy, copied, error } = useClipboard({ timeout: 1_500 });
  return (
    <>
      <Button {...button} onClick={() => copy(value)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
      {error !== null && (
        <Text size="xs" role="alert">
          {NOT_COPIED}
        </Text>
      )}
    </>
  );
}
