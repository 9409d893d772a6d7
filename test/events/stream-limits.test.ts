import { createStreamLimits } from '../../src/events/stream-limits';

const bounds = { process: 6, workspace: 4, caller: 2 };
const taken = (code: string) => expect.objectContaining({ code }) as unknown as Error;

describe('places for event streams', () => {
  test('an operator and an organization take a part of them, so that others find room', () => {
    const places = createStreamLimits(bounds);
    const at = (workspaceId: string, operatorId: string) =>
      places.take({ workspaceId, callerId: operatorId });
    at('org_one', 'opr_a');
    at('org_one', 'opr_a');
    // Refused in every organization, whatever that organization's own count.
    expect(() => at('org_two', 'opr_a')).toThrow(taken('too_many_streams'));
    at('org_one', 'opr_b');
    at('org_one', 'opr_b');
    expect(() => at('org_one', 'opr_c')).toThrow(taken('too_many_streams'));
    at('org_two', 'opr_c');
    at('org_two', 'opr_c');
    expect(() => at('org_three', 'opr_d')).toThrow(taken('service_busy'));
  });

  test('a place that is given back is free once, however often it is given back', () => {
    const places = createStreamLimits(bounds);
    const holder = { workspaceId: 'org_one', callerId: 'opr_a' };
    const leave = places.take(holder);
    places.take(holder);
    expect(() => {
      places.assertFree(holder);
    }).toThrow(taken('too_many_streams'));
    leave();
    leave();
    places.take(holder);
    expect(() => places.take(holder)).toThrow(taken('too_many_streams'));
  });
});
