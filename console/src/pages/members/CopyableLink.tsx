import { Button, Code, CopyButton } from '@mantine/core';

/** Shows a link that lets its reader in, with a button that copies it. */
export function CopyableLink({ link }: { link: string }) {
  return (
    <>
      <Code data-secret style={{ overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </>
  );
}
