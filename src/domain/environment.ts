/** The two halves of a workspace. Keys, connections, customers and subscriptions never cross between them. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
