import { insertCall, updateCall } from '../../src/db/write-calls';

describe('the statements that write a row', () => {
  test('name the columns that they are given, whatever the same name stood for before', () => {
    insertCall('row', 'things', { id: 'a' });
    expect(insertCall('row', 'things', { id: 'a', many: 3n }).text).toBe(
      'INSERT INTO things (id, many) VALUES ($1, $2)',
    );
    updateCall('change', 'things', { where: { id: 'a' }, set: { many: 1 } });
    expect(updateCall('change', 'things', { where: { id: 'a' }, set: { at: null } }).text).toBe(
      'UPDATE things SET at = $2 WHERE id = $1 RETURNING true',
    );
  });
});
