import { lazyRouteComponent } from '@tanstack/react-router';
import { unreachable } from '../api/problem';

/** Like `lazyRouteComponent`: a page whose code is loaded when it is first opened. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(explain), name);

/**
 * Rethrows the failure of an import. The router reloads the document then, because after an upgrade the code is
 * elsewhere. Without a connection, that would replace the console by the browser's own error page.
 */
async function explain(failure: unknown): Promise<never> {
  const isServed = await fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isServed ? failure : unreachable(false);
}
