/** The User-Agent of Tollgate's own requests. Firewalls in front of providers and receivers refuse requests without one. */
export const USER_AGENT = 'Tollgate';
