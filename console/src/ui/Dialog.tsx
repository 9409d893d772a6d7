import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOpenForm } from '../app/open-forms';
import { useUppermost } from './uppermost';

interface DialogProps extends ModalProps {
  /** Whether a request is unanswered. */
  isBusy?: boolean;
  /** Whether it contains something that would be lost, such as input. */
  isTyped?: boolean;
}

/**
 * A dialog. It stays open until its request is answered, because a user who left it would miss the outcome, and the
 * secret in some answers is shown only here. A click outside does not discard input.
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
 * Restores the focus when a dialog that exists only while open is removed; the library does so only for one that
 * closes. If the previous element no longer exists, such as a menu item, the content gets the focus.
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
