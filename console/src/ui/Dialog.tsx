import { Modal, type ModalProps } from '@mantine/core';

interface DialogProps extends ModalProps {
  /** Whether what was sent is not answered yet. */
  isBusy: boolean;
  /** Whether there is something typed in it. */
  isTyped?: boolean;
}

/**
 * A dialog that sends something. It stays until that is answered: whoever left it would not hear the outcome, and the
 * secret that some answers hold is shown only here. A click beside it does not throw away what was typed.
 */
export function Dialog({ isBusy, isTyped = false, onClose, ...modal }: DialogProps) {
  const isKept = isBusy || isTyped;
  return (
    <Modal
      {...modal}
      onClose={() => {
        if (!isBusy) onClose();
      }}
      {...(isKept && { closeOnClickOutside: false })}
    />
  );
}
