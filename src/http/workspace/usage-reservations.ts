import { externalIdParams } from '../../customers/customer-resource';
import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { reservationSchema } from '../../usage-reservations/reservation-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Usage';

/** `/api/billing/usage/reservations` and `/v1/usage/reservations` */
export function usageReservationRoutes({
  customers,
  reservations,
}: Pick<Services, 'customers' | 'reservations'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listReservations',
      summary: 'List a customer’s reservations',
      description:
        'Newest first: those held now, and those confirmed, released or expired within the last month, or within the days that usage may be reported late (`usageReportedDays`) if those are more.',
      tag,
      console: { path: '/api/customers/{id}/reservations', role: 'viewer' },
      v1: {
        path: '/v1/customers/{externalId}/reservations',
        scopes: { anyOf: ['read', 'usage'], namedOnly: true },
        params: externalIdParams,
      },
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'A page of reservations', schema: pageSchema(reservationSchema) } },
      errors: ['customer_not_found', 'cursor_invalid'],
      answer: async (actor, { params, query }) =>
        reservations.list(actor, await customers.idOf(actor, params), query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getReservation',
      summary: 'Read a reservation',
      tag,
      console: { path: '/api/billing/usage/reservations/{id}', role: 'viewer' },
      v1: { path: '/v1/usage/reservations/{id}', scopes: { anyOf: ['read', 'usage'], namedOnly: true } },
      params: idParams,
      responses: { 200: { description: 'The reservation', schema: reservationSchema } },
      errors: ['reservation_not_found'],
      answer: (actor, { params }) => reservations.get(actor, params.id),
    }),
    mountedRoute({
      method: 'delete',
      operationId: 'releaseReservation',
      summary: 'Release a reservation',
      description: 'Releasing a released or expired reservation changes nothing.',
      tag,
      console: { path: '/api/billing/usage/reservations/{id}', role: 'developer' },
      v1: { path: '/v1/usage/reservations/{id}', scopes: { anyOf: ['usage'] } },
      params: idParams,
      responses: { 200: { description: 'The reservation', schema: reservationSchema } },
      errors: ['reservation_not_found', 'reservation_ended'],
      answer: (actor, { params }) => reservations.release(actor, params.id),
    }),
  ];
}
