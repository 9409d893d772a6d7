import { fromString, toUUID } from 'typeid-js';
import { newIdentifier } from '../../src/identifiers/identifier';

describe('newIdentifier', () => {
  test('is a TypeID over a UUIDv7 of this moment', () => {
    const before = Date.now();
    const typeId = fromString(newIdentifier('subscription'));
    const uuid = toUUID(typeId);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const milliseconds = Number.parseInt(uuid.slice(0, 13).replace('-', ''), 16);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
  });

  test('ids of one process are distinct and sort by creation', () => {
    const ids = Array.from({ length: 20_000 }, () => newIdentifier('decision'));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids.slice(0, 500)) expect(() => fromString(id)).not.toThrow();
  });
});
