import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * The workspace's time at which a command is judged. In a sandbox whose clock was advanced it is the new time, also where
 * the subscription's workflow has not heard of it: an advance signals only those whose instant it reaches.
 *
 * @param asked the workspace's time as the workflow knows it
 * @param now real time
 * @param clockOffset how far the sandbox is ahead of it (milliseconds)
 */
export function judgedAt(
  { environment }: WorkspaceScope,
  asked: Instant,
  now: Instant,
  clockOffset: number,
): Instant {
  return environment === 'production' ? asked : Math.max(asked, now + clockOffset);
}
