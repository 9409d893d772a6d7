import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, readSetting } from '../../src/config/read-config';
import { fileVariableOf } from '../../src/config/secret-files';
import { settings } from '../../src/config/settings';

const SECRET = 'a-pepper-of-more-than-thirty-two-characters';
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-secrets-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function fileWith(text: string): string {
  const file = path.join(directory, 'secret');
  writeFileSync(file, text);
  return file;
}

test('a secret comes from the file that its variable names, without the line ends after it', () => {
  for (const text of [SECRET, `${SECRET}\n`, `${SECRET}\r\n`]) {
    const environment = { TOLLGATE_API_KEY_PEPPER_FILE: fileWith(text) };
    expect(readConfig(['TOLLGATE_API_KEY_PEPPER'], environment)).toEqual({ TOLLGATE_API_KEY_PEPPER: SECRET });
    expect(readSetting('TOLLGATE_API_KEY_PEPPER', environment)).toBe(SECRET);
  }
  expect(readSetting('TOLLGATE_API_KEY_PEPPER', { TOLLGATE_API_KEY_PEPPER_FILE: '' })).toBeUndefined();
});

test('an error names the variable, and never quotes the value', () => {
  const read = (environment: Record<string, string>) => () =>
    readConfig(['TOLLGATE_API_KEY_PEPPER'], environment);
  const file = fileWith('tooshortpepper');
  expect(read({ TOLLGATE_API_KEY_PEPPER_FILE: file, TOLLGATE_API_KEY_PEPPER: SECRET })).toThrow(
    'Set TOLLGATE_API_KEY_PEPPER or TOLLGATE_API_KEY_PEPPER_FILE, not both.',
  );
  expect(read({ TOLLGATE_API_KEY_PEPPER_FILE: path.join(directory, 'none') })).toThrow(
    'TOLLGATE_API_KEY_PEPPER_FILE cannot be read (ENOENT).',
  );
  expect(read({ TOLLGATE_API_KEY_PEPPER_FILE: file })).toThrow(
    /^(?=[^]*TOLLGATE_API_KEY_PEPPER: needs at least 32)(?![^]*tooshortpepper)/,
  );
});

test('an empty file is named, also that of an optional secret', () => {
  const environment = { TOLLGATE_DATABASE_ADMIN_URL_FILE: fileWith('\n') };
  expect(() => readSetting('TOLLGATE_DATABASE_ADMIN_URL', environment)).toThrow(
    'TOLLGATE_DATABASE_ADMIN_URL_FILE names a file that is empty.',
  );
});

test('a process reads the files of its own secrets only', () => {
  const environment = {
    TOLLGATE_API_KEY_PEPPER: SECRET,
    TOLLGATE_CURSOR_SECRET_FILE: path.join(directory, 'none'),
  };
  expect(readConfig(['TOLLGATE_API_KEY_PEPPER'], environment)).toEqual({ TOLLGATE_API_KEY_PEPPER: SECRET });
});

test('every secret can come from a file, and nothing else does', () => {
  const secret = /^TOLLGATE_DATABASE_.*URL$|_PEPPER$|_SECRET$|_KEYS$|_PASSWORD$|_API_KEY$/;
  for (const name of Object.keys(settings)) {
    expect([name, fileVariableOf(name)]).toEqual([name, secret.test(name) ? `${name}_FILE` : undefined]);
  }
});
