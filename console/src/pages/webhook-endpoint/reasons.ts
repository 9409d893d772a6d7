/** The ids of the texts that say, once for all their buttons, why they cannot be pressed. */
export const ROLE_REASON = 'endpoint-role-reason';
export const DISABLED_REASON = 'endpoint-disabled-reason';
