import { overviewSchema } from '../../overview/overview-resource';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

/** `/api/overview` */
export function overviewRoutes({ readOverview }: Pick<Services, 'readOverview'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/overview',
      operationId: 'getOverview',
      summary: 'Items that need attention, and whether the processes are running',
      description: 'Counts for the environment, and the processes of the installation.',
      tag: 'Overview',
      access: 'operator',
      role: 'viewer',
      responses: { 200: { description: 'The counts and the processes', schema: overviewSchema } },
      answer: (actor) => readOverview(actor),
    }),
  ];
}
