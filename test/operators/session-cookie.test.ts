import { createSessionCookie } from '../../src/http/auth/session-cookie';

const secure = createSessionCookie('https://console.example.com');
const plain = createSessionCookie('http://127.0.0.1:4000');

test('over https the cookie is bound to this host and to https', () => {
  expect(secure.set('token')).toBe('__Host-tollgate_session=token; Path=/; HttpOnly; SameSite=Lax; Secure');
  expect(secure.clear()).toBe('__Host-tollgate_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
});

test('over http, on a machine of its own, it is not', () => {
  expect(plain.set('token')).toBe('tollgate_session=token; Path=/; HttpOnly; SameSite=Lax');
});

test.each([
  ['__Host-tollgate_session=one', 'one'],
  ['other=1; __Host-tollgate_session=two; more=2', 'two'],
  ['x__Host-tollgate_session=three', undefined],
  ['tollgate_session=four', undefined],
  ['', undefined],
])('%p holds %p', (cookie, token) => {
  expect(secure.read({ cookie })).toBe(token);
});

test('no header holds nothing', () => {
  expect(secure.read({})).toBeUndefined();
});
