import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';

/** Returns why the operator may not change webhook endpoints; null if they may. */
export function useEndpointRefusal(): string | null {
  const { env } = useWorkspace();
  return useRefusal(env === 'production' ? 'admin' : 'developer');
}
