import { ENVIRONMENTS } from '../../domain/environment';
import { TollgateError, type FieldProblem } from '../../domain/errors';
import type { WorkspaceScope } from '../../tenancy/actor';

/**
 * Returns the workspace of a console call: `organizationId`, and `env`, which is `production` or `sandbox`.
 *
 * @throws TollgateError validation_failed that names the missing or invalid parameters
 */
export function workspaceOfQuery(query: URLSearchParams): WorkspaceScope {
  const organizations = query.getAll('organizationId');
  const environments = query.getAll('env');
  const [workspaceId] = organizations;
  const environment = ENVIRONMENTS.find((name) => name === environments[0]);
  const errors: FieldProblem[] = [];
  if (organizations.length !== 1 || workspaceId === undefined || workspaceId === '') {
    errors.push({
      pointer: '/query/organizationId',
      message: 'is needed once',
      fix: 'Add organizationId=<id>; GET /api/organizations lists yours.',
    });
  }
  if (environments.length !== 1 || environment === undefined) {
    errors.push({
      pointer: '/query/env',
      message: 'is needed once',
      fix: 'Add env=sandbox or env=production.',
    });
  }
  if (errors.length > 0 || workspaceId === undefined || environment === undefined) {
    const names = errors.map((error) => error.pointer.replace('/query/', ''));
    throw new TollgateError('validation_failed', `The query needs ${names.join(' and ')}.`, { errors });
  }
  return { workspaceId, environment };
}
