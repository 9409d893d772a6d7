/** The queries that show another thing when the second factor has changed. */
export const AFTER_CHANGE = [['second-factor'], ['session'], ['sessions'], ['members']];
