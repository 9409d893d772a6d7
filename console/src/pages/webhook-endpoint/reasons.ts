/** Ids of the texts that say, once for all buttons, why they are disabled. */
export const ROLE_REASON = 'endpoint-role-reason';
export const DISABLED_REASON = 'endpoint-disabled-reason';
