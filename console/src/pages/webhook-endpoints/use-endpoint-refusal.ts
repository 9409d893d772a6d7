import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';

/** Why the operator may not change where webhooks go; null where they may. */
export function useEndpointRefusal(): string | null {
  const { env } = useWorkspace();
  return useRefusal(env === 'production' ? 'admin' : 'developer');
}
