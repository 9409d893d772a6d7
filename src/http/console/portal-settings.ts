import { portalSettingsPatch, portalSettingsSchema } from '../../portal/portal-settings-resource';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Settings';
const path = '/api/billing/portal';

/** Appearance and features of the customer's page, per environment. */
export function portalSettingsRoutes({ portal: { settings } }: Pick<Services, 'portal'>): Route[] {
  const responses = { 200: { description: 'The settings of the page', schema: portalSettingsSchema } };
  return [
    workspaceRoute({
      method: 'get',
      path,
      operationId: 'getPortalSettings',
      summary: 'Read the look and the options of the customer’s page',
      tag,
      access: 'operator',
      role: 'viewer',
      responses,
      answer: (actor) => settings.get(actor),
    }),
    workspaceRoute({
      method: 'patch',
      path,
      operationId: 'changePortalSettings',
      summary: 'Change the look and the options of the customer’s page',
      description:
        'Omitted members keep their values; a member that is sent replaces the stored one as a whole. Open pages show it within seconds.',
      tag,
      access: 'operator',
      role: 'admin',
      body: portalSettingsPatch,
      bodyLimit: BODY_WITH_METADATA,
      responses,
      answer: (actor, { body }) => settings.change(actor, body),
    }),
  ];
}
