import { createRouter } from '@tanstack/react-router';
import { FailedPage } from './FailedPage';
import {
  account,
  earlierLinks,
  invitation,
  platform,
  reset,
  root,
  signedIn,
  signIn,
  start,
  workspace,
} from './frame-routes';
import { NotFound } from './NotFound';
import { PendingPage } from './PendingPage';
import { queryClient } from './query-client';
import { parseSearch } from './search-params';
import { workspacePages } from './workspace-pages';

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    reset,
    ...earlierLinks,
    signedIn.addChildren([start, account, ...platform, workspace.addChildren(workspacePages)]),
  ]),
  context: { queryClient },
  parseSearch,
  scrollRestoration: true,
  defaultPreload: false,
  // Open dialogs and input are not kept for the same page of another environment, customer or plan.
  defaultRemountDeps: ({ params }) => params,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
