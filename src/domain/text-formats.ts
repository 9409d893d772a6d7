/** Maximum number of characters of a slug or a feature's key. */
export const MAX_SLUG = 64;

/** A short name for URLs and configuration: `pro`, `pro-2026`, `pro_yearly`. */
export const SLUG = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** A feature's stable key, as used in integrators' code: `ai_tokens`, `export.pdf`. */
export const FEATURE_KEY = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/;

/** An address of the form `local@domain`. Only sending a message can show whether it receives mail. */
export const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** Shortest password in characters. Length is what makes a password strong, so nothing else is required. */
export const PASSWORD_MIN = 12;
/** Longest password in characters. Bounds the hashing work of an unauthenticated request. */
export const PASSWORD_MAX = 200;
