import { settingsInput, settingsPatch, settingsSchema } from '../../settings/settings-resource';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Settings';
const path = '/api/billing/settings';

/** Billing settings of a workspace, per environment. */
export function settingsRoutes({ settings }: Services): Route[] {
  const responses = { 200: { description: 'The settings.', schema: settingsSchema } };

  const get = route({
    method: 'get',
    path,
    operationId: 'getSettings',
    summary: 'Read the settings of an environment',
    tag,
    access: 'operator',
    role: 'viewer',
    responses,
    handle: async ({ principal }) => ({ status: 200, body: await settings.get(principal.scope) }),
  });

  const replace = workspaceRoute({
    method: 'put',
    path,
    operationId: 'replaceSettings',
    summary: 'Replace all settings',
    tag,
    access: 'operator',
    role: 'admin',
    body: settingsInput,
    responses,
    answer: (actor, { body }) => settings.change(actor, body),
  });

  const change = workspaceRoute({
    method: 'patch',
    path,
    operationId: 'changeSettings',
    summary: 'Change some settings',
    description:
      'Omitted settings keep their values. A member that is sent replaces the stored one as a whole.',
    tag,
    access: 'operator',
    role: 'admin',
    body: settingsPatch,
    responses,
    answer: (actor, { body }) => settings.change(actor, body),
  });

  return [get, replace, change];
}
