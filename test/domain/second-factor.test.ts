import { mustEnrol, needsConfirmation, resetRefusal } from '../../src/domain/second-factor';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';

const now = 1_800_000_000_000;
const window = { now, freshMs: 10 * MINUTE_MS };

describe('whether a request asks for the second factor again', () => {
  const confirmed = (ago: number) => ({ enrolled: true, confirmedAt: now - ago });

  test.each([
    ['a route that never asks', undefined, null, confirmed(HOUR_MS), false],
    ['somebody without one', 'always', null, { enrolled: false, confirmedAt: null }, false],
    ['one that was never confirmed here', 'always', null, { enrolled: true, confirmedAt: null }, true],
    ['one confirmed a moment ago', 'always', 'sandbox', confirmed(1), false],
    ['one confirmed just within the time', 'always', 'production', confirmed(10 * MINUTE_MS - 1), false],
    ['one confirmed at its end', 'always', 'production', confirmed(10 * MINUTE_MS), true],
    ['one confirmed in the future', 'always', null, confirmed(-1), true],
    ['production alone, in the sandbox', 'in_production', 'sandbox', confirmed(HOUR_MS), false],
    ['production alone, in production', 'in_production', 'production', confirmed(HOUR_MS), true],
    ['production alone, of no environment', 'in_production', null, confirmed(HOUR_MS), true],
  ] as const)('%s', (_, stepUp, environment, factor, expected) => {
    expect(needsConfirmation(stepUp, environment, factor, window)).toBe(expected);
  });
});

test('only an organization that requires one holds up who has none', () => {
  expect(mustEnrol({ requireSecondFactor: true }, false)).toBe(true);
  expect(mustEnrol({ requireSecondFactor: true }, true)).toBe(false);
  expect(mustEnrol({ requireSecondFactor: false }, false)).toBe(false);
});

describe('whom an owner may reset', () => {
  const lawful = {
    issuerId: 'opr_owner',
    issuerRole: 'owner',
    operatorId: 'opr_member',
    organizations: ['org_x'],
    workspaceId: 'org_x',
    isPlatformAdministrator: false,
  };

  test.each([
    ['a member of this organization alone', {}, null],
    ['one who belongs to another too', { organizations: ['org_x', 'org_y'] }, 'elsewhere_too'],
    ['one who has left', { organizations: [] }, 'not_member'],
    ['one who has left for another', { organizations: ['org_y'] }, 'not_member'],
    ['who administers the installation', { isPlatformAdministrator: true }, 'platform_administrator'],
    ['themselves', { operatorId: 'opr_owner' }, 'own_account'],
    ['anybody, as a former owner', { issuerRole: 'admin' }, 'not_owner'],
    ['anybody, as a former member', { issuerRole: null }, 'not_owner'],
  ])('%s', (_, difference, expected) => {
    expect(resetRefusal({ ...lawful, ...difference })).toBe(expected);
  });
});
