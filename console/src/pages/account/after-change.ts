/** Queries affected by a change of the second factor. */
export const AFTER_CHANGE = [['second-factor'], ['session'], ['sessions'], ['members']];
