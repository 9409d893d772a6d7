import { Button, Code, CopyButton } from '@mantine/core';

/**
 * Shows a link that lets its reader in, with a button that copies it.
 *
 * @param isFocused whether the button takes the focus, because the pressed one is gone
 */
export function CopyableLink({ link, isFocused = false }: { link: string; isFocused?: boolean }) {
  return (
    <>
      <Code data-secret style={{ overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" autoFocus={isFocused} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </>
  );
}
