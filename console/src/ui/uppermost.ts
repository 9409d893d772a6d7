import { useEffect, useState, useSyncExternalStore } from 'react';

/** The open dialogs, the topmost last. */
let open: readonly symbol[] = [];
const listeners = new Set<() => void>();

function setOpen(next: readonly symbol[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether no other dialog is above this one. Only the topmost is closed by Escape. */
export function useUppermost(isOpen: boolean): boolean {
  const [id] = useState(() => Symbol('dialog'));
  useEffect(() => {
    if (!isOpen) return undefined;
    setOpen([...open, id]);
    return () => setOpen(open.filter((other) => other !== id));
  }, [id, isOpen]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === id);
}
