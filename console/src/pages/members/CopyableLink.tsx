import { Code } from '@mantine/core';
import { CopyText } from '../../ui/CopyText';

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
      <CopyText value={link} size="compact-sm" variant="default" autoFocus={isFocused} />
    </>
  );
}
