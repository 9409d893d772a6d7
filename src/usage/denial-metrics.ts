import { Counter, type Registry } from 'prom-client';
import { ENVIRONMENTS } from '../domain/environment';
import { isTollgateError } from '../domain/errors';
import type { Usage } from './submit-usage';

const OPERATIONS = ['check', 'track'] as const;
/** How the answer of a denied check begins; a denied track throws. */
const DENIED = '{"status":"access_denied"';

/** Counts denials beside the calls, whose answers wait for nothing. */
export function countDenials(usage: Usage, registry: Registry): Usage {
  const counter = new Counter({
    name: 'tollgate_usage_denials_total',
    help: 'Checks and tracks that were denied, by environment.',
    labelNames: ['environment', 'operation'],
    registers: [registry],
  });
  for (const environment of ENVIRONMENTS) {
    for (const operation of OPERATIONS) counter.inc({ environment, operation }, 0);
  }
  return {
    submit: (scope, call) => {
      const answer = usage.submit(scope, call);
      const { environment } = scope;
      const { operation } = call;
      answer.then(
        ({ body }) => {
          if (body.startsWith(DENIED)) counter.inc({ environment, operation });
        },
        (error: unknown) => {
          if (isTollgateError(error) && error.status === 403) counter.inc({ environment, operation });
        },
      );
      return answer;
    },
  };
}
