import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The browser's own dialog: it keeps the keyboard within itself, closes with Escape, and gives the focus back. While what it
 * sent is under way it stays: whoever left it would not hear a refusal.
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
    // A second Escape closes it without asking.
    else if (dialog.current?.open === false) dialog.current.showModal();
  };
  const leaveRef = useRef(leave);
  // With the drawing, not after it: what is pressed next is judged by what is shown.
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
      // Closed before it goes, or the browser would not give the focus back.
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
    </dialog>
  );
}
