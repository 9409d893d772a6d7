/**
 * Tells a password manager whose password a form takes, where the form does not ask for the address. Otherwise it would
 * store the password under the field before, such as the name, or under none.
 */
export function PasswordOwner({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
