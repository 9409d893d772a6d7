import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';

/** Returns why the operator may not change or test connections, as a sentence; null if they may. */
export function useConnectionRefusal(): string | null {
  const { env } = useWorkspace();
  return useRefusal(env === 'production' ? 'admin' : 'developer');
}
