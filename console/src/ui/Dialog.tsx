import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOpenForm } from '../app/open-forms';
import { useUppermost } from './uppermost';

interface DialogProps extends ModalProps {
  /** Whether a request is unanswered. */
  isBusy?: boolean;
  /** Whether its request has succeeded: it stays open only while the lists are read, so closing it loses nothing. */
  isDone?: boolean;
  /** Whether it contains something that would be lost, such as input. */
  isTyped?: boolean;
}

/**
 * A dialog. It stays open until its request is answered, because a user who left it would miss the outcome, and the
 * secret in some answers is shown only here. A click outside does not discard input.
 */
export function Dialog({ isBusy = false, isDone = false, isTyped = false, onClose, ...modal }: DialogProps) {
  const isKept = isBusy || isTyped;
  const isUppermost = useUppermost(modal.opened);
  useFocusBack(modal.opened);
  useOpenForm({ isOpen: modal.opened, loss: isDone ? null : isBusy ? 'outcome' : isTyped ? 'input' : null });
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

/** The elements that had the focus before the dialog that opened last, the latest first. */
let lastOpeners: readonly Element[] = [];

/**
 * Restores the focus when a dialog that exists only while open is removed; the library does so only for one that
 * closes. If the previous element no longer exists, such as a button of a dialog that this one has replaced, the one
 * before it gets the focus; and if there is none, such as after a menu item, the content.
 */
function useFocusBack(isOpen: boolean): void {
  const [openers] = useState(() => (isOpen ? openersOf(document.activeElement) : []));
  useEffect(() => {
    const [opener] = openers;
    if (opener === undefined) return undefined;
    lastOpeners = openers;
    return () => {
      const another = document.querySelector('[role="dialog"][aria-modal="true"]');
      if (another !== null && !another.contains(opener)) return;
      const place =
        openers.find((known) => known.isConnected && known !== document.body) ??
        document.getElementById('content');
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    };
  }, [openers]);
}

/** Returns where the focus may return to; a button within a dialog is followed by what opened that dialog. */
function openersOf(active: Element | null): readonly Element[] {
  if (active === null) return [];
  return active.closest('[role="dialog"]') === null ? [active] : [active, ...lastOpeners];
}
