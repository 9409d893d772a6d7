/** The two halves of a workspace. Keys, connections, customers and subscriptions never cross between them. */
export const ENVIRONMENTS = ['production', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Returns an environment as a noun: `the sandbox`, `production`. */
export function environmentInWords(environment: Environment): string {
  return environment === 'sandbox' ? 'the sandbox' : environment;
}
