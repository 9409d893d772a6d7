import type { Services } from '../../service/services';
import { consoleMounts } from '../mounted-route';
import type { Route } from '../route';
import { workspaceRoutes } from '../workspace/routes';
import { platformAuditRoutes } from './platform-audit';
import { providerConnectionRoutes } from './provider-connections';
import { providerCredentialRoutes } from './provider-credentials';
import { customerRoutes } from './customers';
import { overviewRoutes } from './overview';
import { driftRoutes } from './drift';
import { entitlementRoutes } from './entitlements';
import { featureRoutes } from './features';
import { planGroupRoutes } from './plan-groups';
import { planRoutes } from './plans';
import { settlementRoutes } from './settlements';
import { acceptInvitationRoutes } from './accept-invitation';
import { apiKeyRoutes } from './api-keys';
import { auditRoutes } from './audit';
import { authRoutes } from './auth';
import { invitationRoutes } from './invitations';
import { loginRoutes } from './login';
import { memberRoutes } from './members';
import { organizationRoutes } from './organizations';
import { resetLinkRoutes } from './reset-links';
import { secondFactorRoutes } from './second-factor';
import { sandboxClockRoutes } from './sandbox-clock';
import { sessionRoutes } from './sessions';
import { portalSettingsRoutes } from './portal-settings';
import { settingsRoutes } from './settings';
import { developerEventRoutes } from './developer-events';
import { webhookRoutes } from './webhooks';

/** The routes of the console host. */
export function consoleRoutes(services: Services): Route[] {
  return [
    ...overviewRoutes(services),
    ...planGroupRoutes(services),
    ...planRoutes(services),
    ...featureRoutes(services),
    ...entitlementRoutes(services),
    ...customerRoutes(services),
    ...consoleMounts(workspaceRoutes(services)),
    ...driftRoutes(services),
    ...settlementRoutes(services),
    ...providerConnectionRoutes(services),
    ...providerCredentialRoutes(services),
    ...platformAuditRoutes(services),
    ...loginRoutes(services),
    ...authRoutes(services),
    ...secondFactorRoutes(services),
    ...sessionRoutes(services),
    ...acceptInvitationRoutes(services),
    ...resetLinkRoutes(services),
    ...organizationRoutes(services),
    ...memberRoutes(services),
    ...invitationRoutes(services),
    ...apiKeyRoutes(services),
    ...auditRoutes(services),
    ...settingsRoutes(services),
    ...portalSettingsRoutes(services),
    ...sandboxClockRoutes(services),
    ...developerEventRoutes(services),
    ...webhookRoutes(services),
  ];
}
