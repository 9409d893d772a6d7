/** The two halves of a workspace. Keys, connections, customers and subscriptions never cross between them. */
export type Environment = 'sandbox' | 'production';
