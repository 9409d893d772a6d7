import type { Environment } from '../../domain/environment';

/**
 * The session's cookie. Over https its name carries the `__Host-` prefix, which browsers accept only with Secure,
 * Path=/ and no Domain, so that no sibling host can plant one.
 */
export interface SessionCookie {
  name: string;
  /** The token of a request's `Cookie` header, if it has one. */
  read(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined;
  /** The `Set-Cookie` value that gives a browser the token. */
  set(token: string): string;
  /** The `Set-Cookie` value that takes it away. */
  clear(): string;
}

export function createSessionCookie(consoleUrl: string): SessionCookie {
  return createCookie(consoleUrl, 'tollgate_session', '');
}

/** The device's cookie, by which a browser is known that has logged in before; it stays for half a year. */
export function createDeviceCookie(consoleUrl: string): SessionCookie {
  return createCookie(consoleUrl, 'tollgate_device', `; Max-Age=${180 * 24 * 3_600}`);
}

/**
 * The cookie of a customer's page. It has the prefix and Secure always: browsers take both by http on loopback too. Each
 * environment has a name of its own, because cookies do not tell ports apart.
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
