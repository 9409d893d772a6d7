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
      summary: 'What needs a person, and whether the processes work',
      description: 'Counts of an environment, each by an index, and the processes of the installation.',
      tag: 'Overview',
      access: 'operator',
      role: 'viewer',
      responses: { 200: { description: 'The counts and the processes', schema: overviewSchema } },
      answer: (actor) => readOverview(actor),
    }),
  ];
}
