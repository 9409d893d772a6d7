import { z } from 'zod';
import { parseInput } from '../../src/http/input';
import { apiRoutes } from '../../src/http/v1/routes';
import { newIdentifier } from '../../src/identifiers/identifier';
import { customerFilters, idFilter } from '../../src/schemas/id-filter';
import { routesOf } from '../support/routes';

/** Filters of events by what has no other name. */
const OF_A_CALL = ['decisionId', 'requestId'];

/** Every filter by an id of every list for keys. */
const filters = routesOf((services) => apiRoutes(services, 'sandbox')).flatMap(({ path, query }) =>
  query instanceof z.ZodObject
    ? Object.entries(query.shape as Record<string, z.ZodType>)
        .filter(([name]) => /[a-z]Id$/.test(name) && name !== 'externalId' && !OF_A_CALL.includes(name))
        .map(([name, schema]): [string, string, z.ZodType] => [path, name, schema])
    : [],
);

test('the lists have such filters', () => {
  expect(filters.map(([path, name]) => `${path} ${name}`)).toEqual(
    expect.arrayContaining([
      '/v1/subscriptions customerId',
      '/v1/plans planGroupId',
      '/v1/refunds paymentId',
    ]),
  );
});

// The list would be empty, as if there were nothing.
test.each(filters)('%s: a name, or the id of another kind, is refused as %s', (_, name, schema) => {
  for (const wrong of ['demo_acme', newIdentifier('audit')])
    expect(() => parseInput(z.object({ [name]: schema }), { [name]: wrong }, 'query')).toThrow(
      `/query/${name}: is not the id of a `,
    );
});

test('an id of the kind is accepted, known or not, and a wrong customer is told of the other filter', () => {
  const query = z.strictObject({ ...customerFilters, planGroupId: idFilter('planGroup') });
  const known = { customerId: newIdentifier('customer'), planGroupId: newIdentifier('planGroup') };
  expect(query.parse(known)).toEqual(known);
  expect(query.parse({ customerId: 'cus_none' })).toEqual({ customerId: 'cus_none' });
  expect(() => parseInput(query, { customerId: 'acme' }, 'query')).toThrow(
    '/query/customerId: is not the id of a customer (cus_…); your own id of a customer is `externalId`',
  );
  expect(() => parseInput(query, { planGroupId: 'plans' }, 'query')).toThrow(
    '/query/planGroupId: is not the id of a plan group (pgrp_…)',
  );
});
