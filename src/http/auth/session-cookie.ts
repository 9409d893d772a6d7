import type { Environment } from '../../domain/environment';

/**
 * The session cookie. Over https its name has the `__Host-` prefix, which browsers accept only with Secure, Path=/ and
 * no Domain, so that no sibling host can plant one.
 */
export interface SessionCookie {
  name: string;
  /** Returns the token in a request's `Cookie` header, if any. */
  read(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined;
  /** Returns the `Set-Cookie` value that sets the token. */
  set(token: string): string;
  /** Returns the `Set-Cookie` value that deletes it. */
  clear(): string;
}

export function createSessionCookie(consoleUrl: string): SessionCookie {
  return createCookie(consoleUrl, 'tollgate_session', '');
}

/** Creates the device cookie, which identifies a browser that has logged in before; it lasts half a year. */
export function createDeviceCookie(consoleUrl: string): SessionCookie {
  return createCookie(consoleUrl, 'tollgate_device', `; Max-Age=${180 * 24 * 3_600}`);
}

/**
 * Creates the cookie of a customer's page. It always has the prefix and Secure: browsers accept both over http on
 * loopback. Each environment has its own name, because cookies do not distinguish ports.
 */
export function createPortalCookie(environment: Environment, seconds: number): SessionCookie {
  const name = `__Host-tollgate_portal_${environment}`;
  return cookieNamed(name, 'Path=/; HttpOnly; SameSite=Strict; Secure', `; Max-Age=${seconds}`);
}

function createCookie(consoleUrl: string, plainName: string, age: string): SessionCookie {
  const secure = new URL(consoleUrl).protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  return cookieNamed(name, `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`, age);
}

function cookieNamed(name: string, attributes: string, age: string): SessionCookie {
  return {
    name,
    read(headers) {
      const header = headers['cookie'];
      if (typeof header !== 'string') return undefined;
      for (const pair of header.split(';')) {
        const [key, value] = pair.split('=', 2);
        if (key?.trim() === name) return value?.trim();
      }
      return undefined;
    },
    set: (token) => `${name}=${token}; ${attributes}${age}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
