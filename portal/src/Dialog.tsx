import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** The browser's own dialog: it keeps the keyboard within itself, closes with Escape, and gives the focus back. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed before it goes, or the browser would not give the focus back.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
