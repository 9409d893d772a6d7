import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { SECRET_LINK_PAGES } from '../../../src/domain/secret-links.ts';
import { mustEnrol, sessionQuery } from '../api/session';
import { SignIn } from '../pages/sign-in/SignIn';
import { lastPlace } from './last-place';
import { lazyPage } from './lazy-page';
import { takeToken, toPage } from './link-token';
import { NotFound, NotFoundHere } from './NotFound';
import { RootView } from './RootView';
import { readAction, readNext } from './search-params';
import { SignedIn } from './SignedIn';
import { isEnvironment } from './workspace';
import { WorkspaceFrame } from './WorkspaceFrame';

/** Root of every view. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootView,
  notFoundComponent: NotFound,
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readNext,
  component: SignIn,
});

export const invitation = createRoute({
  getParentRoute: () => root,
  path: SECRET_LINK_PAGES.invitation,
  beforeLoad: ({ location }) => takeToken(SECRET_LINK_PAGES.invitation, location),
  component: lazyPage(() => import('../pages/invitation/InvitationPage'), 'InvitationPage'),
});

export const reset = createRoute({
  getParentRoute: () => root,
  path: SECRET_LINK_PAGES.reset,
  beforeLoad: ({ location }) => takeToken(SECRET_LINK_PAGES.reset, location),
  component: lazyPage(() => import('../pages/reset/ResetPage'), 'ResetPage'),
});

/** Links of earlier versions, which have their token in the path. */
export const earlierLinks = Object.values(SECRET_LINK_PAGES).map((page) =>
  createRoute({
    getParentRoute: () => root,
    path: `${page}/$token`,
    beforeLoad: ({ params }) => {
      throw toPage(page, params.token);
    },
  }),
);

/** Everything behind the sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.query({ ...sessionQuery, staleTime: 'static' });
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { session };
  },
  component: SignedIn,
});

export const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context }) => {
    const { session } = context;
    const organizations = session.organizations.filter((organization) => !mustEnrol(session, organization));
    const last = lastPlace();
    const organization = organizations.find(({ slug }) => slug === last?.organization) ?? organizations[0];
    if (organization === undefined) throw redirect({ to: '/account' });
    const environment = last?.environment ?? 'sandbox';
    throw redirect({
      to: '/o/$organization/$environment',
      params: { organization: organization.slug, environment },
    });
  },
});

export const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyPage(() => import('../pages/account/AccountPage'), 'AccountPage'),
});

/** Pages of the installation. The API answers only platform administrators. */
export const platform = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/platform/credentials',
    component: lazyPage(() => import('../pages/platform/CredentialsPage'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/platform/audit',
    validateSearch: readAction,
    component: lazyPage(() => import('../pages/platform/PlatformAuditPage'), 'PlatformAuditPage'),
  }),
];

/** Everything of an organization's environment. */
export const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$organization/$environment',
  beforeLoad: ({ context, params }) => {
    const { session } = context;
    // What is not found here is shown by the root, because there is no frame without an organization.
    const organization = session.organizations.find(({ slug }) => slug === params.organization);
    // Never falls back to another organization, where actions would affect the wrong customers.
    if (organization === undefined) throw notFound({ data: params.organization, routeId: rootRouteId });
    if (!isEnvironment(params.environment)) throw notFound({ routeId: rootRouteId });
    if (mustEnrol(session, organization)) throw redirect({ to: '/account' });
  },
  // The frame stays mounted, so that the switch keeps the focus. Its pages are remounted.
  remountDeps: () => 'frame',
  component: WorkspaceFrame,
  notFoundComponent: NotFoundHere,
});
