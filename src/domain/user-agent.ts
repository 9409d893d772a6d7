/** The User-Agent of Tollgate's requests. Firewalls of providers and receivers refuse requests without one. */
export const USER_AGENT = 'Tollgate';
