import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { page } from './strings';

/**
 * The browser's own dialog: it traps the keyboard focus, closes with Escape, and restores the focus. It stays open
 * while its request is in progress, because a user who left it would miss a refusal.
 */
export function Dialog(props: {
  title: string;
  busy?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, busy = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const leave = (): void => {
    if (!busy) onClose();
    // A second Escape closes it without a cancel event.
    else if (dialog.current?.open === false) dialog.current.showModal();
  };
  const leaveRef = useRef(leave);
  // In the layout effect, so that the next key press is handled according to what is shown.
  useLayoutEffect(() => {
    leaveRef.current = leave;
  });
  useEffect(() => {
    const element = dialog.current;
    const closed = (): void => leaveRef.current();
    element?.showModal();
    element?.addEventListener('close', closed);
    return () => {
      element?.removeEventListener('close', closed);
      // Closed before it is removed, or the browser would not restore the focus.
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
      {/* Always present, so that text added to it is read aloud. */}
      <p role="status" class="hint">
        {busy && page.busy}
      </p>
    </dialog>
  );
}
