import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOpenForm } from '../app/open-forms';
import { useUppermost } from './uppermost';

interface DialogProps extends ModalProps {
  /** Whether what was sent is not answered yet. */
  isBusy?: boolean;
  /** Whether there is something in it that would be lost, such as what is typed. */
  isTyped?: boolean;
}

/**
 * A dialog. It stays until what it sent is answered: whoever left it would not hear the outcome, and the secret that some
 * answers hold is shown only here. A click beside it does not throw away what was typed.
 */
export function Dialog({ isBusy = false, isTyped = false, onClose, ...modal }: DialogProps) {
  const isKept = isBusy || isTyped;
  const isUppermost = useUppermost(modal.opened);
  useFocusBack(modal.opened);
  useOpenForm({ isOpen: modal.opened, isUnsaved: isTyped });
  return (
    <Modal
      closeOnEscape={isUppermost}
      {...modal}
      onClose={() => {
        if (!isBusy) onClose();
      }}
      {...(isKept && { closeOnClickOutside: false })}
    />
  );
}

/**
 * Gives the focus back to what had it before a dialog that is there only while it is open: the library does so for one
 * that closes, and not for one that is taken away. Where that is gone, as an item of a menu is, the content has it.
 */
function useFocusBack(isOpen: boolean): void {
  const [opener] = useState(() => (isOpen ? document.activeElement : null));
  useEffect(() => {
    if (opener === null) return undefined;
    return () => {
      const another = document.querySelector('[role="dialog"][aria-modal="true"]');
      if (another !== null && !another.contains(opener)) return;
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      const place = isThere ? opener : document.getElementById('content');
      place?.focus({ preventScroll: true });
    };
  }, [opener]);
}
