import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Returns the workspace time at which a command is evaluated. In a sandbox whose clock was advanced it is the new time,
 * even if the subscription's workflow has not been notified: an advance signals only those whose instant it reaches.
 *
 * @param workflowTime workspace time as the workflow knows it
 * @param clock.offset how far the sandbox is ahead of real time (milliseconds)
 */
export function judgedAt(
  { environment }: WorkspaceScope,
  workflowTime: Instant,
  clock: { realTime: Instant; offset: number },
): Instant {
  return environment === 'production' ? workflowTime : Math.max(workflowTime, clock.realTime + clock.offset);
}
