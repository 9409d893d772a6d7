import { useNavigate } from '@tanstack/react-router';
import { isNotFound } from '../api/problem';
import { useWorkspace } from './workspace';

/**
 * Returns a function that deletes what the page shows and then opens the list that it was in, also if somebody else has
 * deleted it. The list is opened before queries are refreshed, or the page would request what is deleted, and in place
 * of the page, to which Back would lead.
 *
 * @param list path of the list, after `/o/{organization}/{environment}`
 */
export function useLeaveDeleted(list: string): (remove: () => Promise<unknown>) => Promise<void> {
  const { base } = useWorkspace();
  const navigate = useNavigate();
  return async (remove) => {
    const { pathname } = window.location;
    await remove().catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    // The user may have left this page in the meantime.
    if (window.location.pathname !== pathname) return;
    await navigate({ to: `${base}${list}`, replace: true, ignoreBlocker: true });
  };
}
