/** A page of a workspace, for the navigation and the search. */
export interface WorkspacePage {
  title: string;
  /** After `/o/{organization}/{environment}`. */
  path: string;
}

/** The navigation, in groups. */
export const PAGES: { group: string; pages: WorkspacePage[] }[] = [
  {
    group: 'Now',
    pages: [
      { title: 'Home', path: '' },
      { title: 'Live events', path: '/events' },
      { title: 'Decisions', path: '/decisions' },
      { title: 'Commands', path: '/commands' },
    ],
  },
  {
    group: 'Customers',
    pages: [
      { title: 'Customers', path: '/customers' },
      { title: 'Subscriptions', path: '/subscriptions' },
      { title: 'Usage', path: '/usage' },
      { title: 'Payments', path: '/payments' },
    ],
  },
  {
    group: 'Set up',
    pages: [
      { title: 'Catalogue', path: '/catalogue' },
      { title: 'Provider connections', path: '/connections' },
      { title: 'Webhooks', path: '/webhooks' },
    ],
  },
  {
    group: 'Developer',
    pages: [
      { title: 'API keys', path: '/developer/api-keys' },
      { title: 'Webhook endpoints', path: '/developer/webhooks' },
    ],
  },
  {
    group: 'Organization',
    pages: [
      { title: 'Members', path: '/members' },
      { title: 'Settings', path: '/settings' },
    ],
  },
];
