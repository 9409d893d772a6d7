import { z } from 'zod';
import { secret } from './formats';

/** Secrets of the installation itself. */
export const secretSettings = {
  TOLLGATE_API_KEY_PEPPER: secret.describe('At least 32 characters. Changing it revokes every API key.'),
  TOLLGATE_CURSOR_SECRET: secret.describe(
    'At least 32 characters. Changing it invalidates cursors in use, and the former external id of an erased customer no longer leads to its erasure.',
  ),
  TOLLGATE_CREDENTIAL_KEYS: z
    .string()
    .min(1)
    .optional()
    .describe(
      '`id:base64` of 32 bytes each, separated by commas or line ends. They encrypt the secrets of provider connections, webhook endpoints and second factors; without a key no secret can be stored.',
    ),
  TOLLGATE_CREDENTIAL_ACTIVE_KEY: z.string().min(1).optional().meta({
    description:
      'The key that encrypts in a database without credentials. After that, the active key is changed in the console.',
    unset: 'the first key',
  }),
} as const;
