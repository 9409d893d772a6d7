import type { ErrorDefinition } from './definition';
import { denialErrors } from './denial';
import { idempotencyErrors } from './idempotency';
import { identityErrors } from './identity';
import { obstacleErrors } from './obstacle';
import { requestErrors } from './request';
import { resourceErrors } from './resource';
import { serviceErrors } from './service';
import { webhookErrors } from './webhook';

export type { ErrorDefinition } from './definition';

/** Every documented error code. No other code can be returned. */
export const errorCatalogue = {
  ...requestErrors,
  ...identityErrors,
  ...resourceErrors,
  ...obstacleErrors,
  ...idempotencyErrors,
  ...denialErrors,
  ...serviceErrors,
  ...webhookErrors,
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
