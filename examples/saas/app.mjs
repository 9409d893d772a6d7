// A small product that is sold through Tollgate: plans, checkouts, a gate, usage, upgrades and cancellation, with
// nothing but a secret key. It has no database: Tollgate knows who has what.
//
//   TOLLGATE_URL=http://127.0.0.1:4001 TOLLGATE_KEY=svc_test_… node examples/saas/app.mjs
//
// docs/quickstart.md walks through it.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { TOLLGATE_URL, TOLLGATE_KEY, PORT = '4100' } = process.env;
if (!TOLLGATE_URL || !TOLLGATE_KEY) {
  console.error('Set TOLLGATE_URL and TOLLGATE_KEY; docs/quickstart.md says how.');
  process.exit(2);
}

// ---- Tollgate -------------------------------------------------------------------------------------------------------

/** A refusal: RFC 9457 problem details, with `code` for programs and `fix` for people. */
class Refused extends Error {
  constructor(problem) {
    super(`${problem.detail} ${problem.fix ?? ''}`);
    this.problem = problem;
  }
}

/**
 * Calls Tollgate. A request whose answer was lost is retried: with the same key it is carried out once.
 *
 * @param key the Idempotency-Key, for what must not happen twice
 * @returns the body; of a 202 the operation, which is still under way
 */
async function tollgate(method, path, { body, key } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(TOLLGATE_URL + path, {
      method,
      headers: {
        Authorization: `Bearer ${TOLLGATE_KEY}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
      // The body as well: an answer can be cut off after its head.
      .then(async (head) => ({ status: head.status, headers: head.headers, text: await head.text() }))
      .catch((error) => error);
    // 409 `idempotency_key_in_use` has Retry-After: the request that was lost is still under way.
    const isLost =
      answer instanceof Error ||
      answer.status === 429 ||
      answer.status >= 500 ||
      answer.headers.has('Retry-After');
    if (isLost && attempt < 4) {
      const seconds =
        answer instanceof Error ? attempt : Number(answer.headers.get('Retry-After') ?? attempt);
      await pause(seconds * 1000);
      continue;
    }
    if (answer instanceof Error) throw answer;
    const result = parse(answer);
    if (answer.status >= 300) throw new Refused(result);
    return result;
  }
}

function parse({ status, text }) {
  try {
    return JSON.parse(text);
  } catch {
    const detail = "This is not Tollgate's answer, but that of a proxy.";
    throw new Refused({ code: `HTTP ${status}`, detail });
  }
}

/**
 * The path of a subscription or checkout that a form or an address names. Anybody can change these, and the key may act
 * on everybody's: the product checks whose it is.
 */
async function pathOf(collection, id, user) {
  const path = `/v1/${collection}/${encodeURIComponent(id)}`;
  const { externalId } = await tollgate('GET', path);
  if (externalId !== user) throw new Error(NOT_YOURS);
  return path;
}

const NOT_YOURS = 'This is not yours.';

const customerPath = (user) => `/v1/customers/${encodeURIComponent(user)}`;

/** The plans of the pricing page, and for each where it can be bought. */
const readPlans = async () => (await tollgate('GET', '/v1/plans?archived=false')).data.toReversed();

/** The customer's subscription that has not ended, the checkout that has to be paid first, and what they may use. */
async function readAccount(user) {
  const query = `externalId=${encodeURIComponent(user)}&expand=plan&take=10`;
  const { data } = await tollgate('GET', `/v1/subscriptions?${query}`);
  const subscription = data.find(({ status }) => status !== 'cancelled' && status !== 'expired') ?? null;
  const isUnpaid = subscription?.status === 'incomplete';
  const of = isUnpaid ? `subscriptionId=${subscription.id}&status=open` : null;
  const checkouts = of === null ? [] : (await tollgate('GET', `/v1/checkouts?${of}`)).data;
  const entitlements = await tollgate('GET', `${customerPath(user)}/entitlements`);
  return { subscription, checkout: checkouts[0] ?? null, entitlements: entitlements.data };
}

// ---- What the pages do ------------------------------------------------------------------------------------------------

const actions = {
  async 'sign-in'({ user }) {
    // Provider C sells only to customers with an e-mail address.
    await tollgate('PUT', customerPath(user), { body: { name: user, email: `${user}@example.com` } });
    return { to: '/', user };
  },

  /** Sends the customer to the provider's page; who pays by invoice is subscribed here at once. */
  async buy({ user, plan, provider, key, origin }) {
    const order = { externalId: user, planSlug: plan };
    if (provider === 'internal') {
      await tollgate('POST', '/v1/subscriptions', { body: order, key });
      return { to: '/' };
    }
    const urls = { successUrl: `${origin}/?paid`, cancelUrl: `${origin}/` };
    const body = { ...order, provider, ...urls };
    return leadOn(await tollgate('POST', '/v1/checkouts', { body, key }), ({ url }) => url);
  },

  /** Gives a checkout up, so that another plan can be bought. */
  async expire({ user, checkout }) {
    await tollgate('POST', `${await pathOf('checkouts', checkout, user)}/expire`);
    return { to: '/' };
  },

  /** Checks, works, and records the work once, however often this form is sent. */
  async work({ user, key }) {
    const use = { externalId: user, feature: 'ai_tokens', quantity: 500 };
    const check = await tollgate('POST', '/v1/usage/check', { body: use });
    if (!check.allowed) return { to: `/?said=${encodeURIComponent(check.reason.message)}` };
    const poem = 'Roses are red, tokens are few.'; // the expensive work
    await tollgate('POST', '/v1/usage/track', { body: use, key });
    return { to: `/?said=${encodeURIComponent(poem)}` };
  },

  /** A change that the customer has seen a preview of. At provider B they approve it on its page. */
  async change({ user, subscription, plan, key }) {
    const path = `${await pathOf('subscriptions', subscription, user)}/change`;
    const change = await tollgate('POST', path, { body: { planSlug: plan }, key });
    return leadOn(change, ({ approvalUrl }) => approvalUrl ?? '/');
  },

  async cancel({ user, subscription, key }) {
    const path = `${await pathOf('subscriptions', subscription, user)}/cancel`;
    return leadOn(await tollgate('POST', path, { key }), () => '/');
  },

  async reactivate({ user, subscription, key }) {
    const path = `${await pathOf('subscriptions', subscription, user)}/reactivate`;
    return leadOn(await tollgate('POST', path, { key }), () => '/');
  },
};

/** Where the browser goes after a command: on, or to the page that waits for one that is still under way. */
function leadOn(result, next) {
  const isUnderWay = result.id?.startsWith('op_') === true;
  return { to: isUnderWay ? `/wait?operation=${result.id}` : next(result) };
}

// ---- Pages ------------------------------------------------------------------------------------------------------------

const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function money({ amount, currency }) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(Number(amount) / 10 ** format.resolvedOptions().maximumFractionDigits);
}

/** A button with all that its action needs; the key is made with the page, so that a second press does nothing twice. */
function button(action, label, values = {}) {
  const hidden = Object.entries({ ...values, key: randomUUID() });
  const inputs = hidden.map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  );
  return `<form method="post" action="/${action}">${inputs.join('')}<button>${escape(label)}</button></form>`;
}

const pages = {
  async '/'({ user, query }) {
    if (user === null) {
      return `<h1>Poems by the token</h1><form method="post" action="/sign-in">
        <label>Name <input name="user" required pattern="[\\w.\\-]{1,60}"></label> <button>Sign in</button></form>`;
    }
    const [plans, { subscription, checkout, entitlements }] = await Promise.all([
      readPlans(),
      readAccount(user),
    ]);
    // The provider has not said yet whether the checkout that was given up is paid.
    if (checkout?.givenUpAt) return WAITING;
    const said = query.get('said');
    // The provider sends the customer back before its webhook has come.
    if (query.has('paid') && (subscription === null || subscription.status === 'incomplete')) return WAITING;
    // Not kept in the history: opened again after the subscription has ended, it would wait forever.
    if (query.has('paid')) return { to: '/' };
    const plan = () => (checkout === null ? account(subscription, plans) : unpaid(subscription, checkout));
    return `<h1>Hello, ${escape(user)}</h1>
      ${said === null ? '' : `<p role="status">${escape(said)}</p>`}
      ${subscription === null ? pricing(plans) : plan()}
      <h2>What you may use</h2>${usage(entitlements)}
      ${button('work', 'Write a poem (500 tokens)')}`;
  },

  /** What a change would do, by the same rules that the change then follows. */
  async '/preview'({ user, query }) {
    const [subscription, plan] = [query.get('subscription'), query.get('plan')];
    const path = `${await pathOf('subscriptions', subscription, user)}/change?dryRun=true`;
    const preview = await tollgate('POST', path, { body: { planSlug: plan } });
    const steps = preview.steps.map((step) => `<li>${escape(step)}</li>`).join('');
    const due = preview.estimated ? `about ${money(preview.dueNow)}` : money(preview.dueNow);
    return `<h1>Change to ${escape(plan)}</h1><p>Due now: ${due}</p><ol>${steps}</ol>
      ${button('change', 'Change my plan', { subscription, plan })} <p><a href="/">Back</a></p>`;
  },

  /** Follows what was answered 202 to its end. */
  async '/wait'({ user, query }) {
    const operation = await tollgate('GET', `/v1/operations/${encodeURIComponent(query.get('operation'))}`);
    const { subscriptionId, targetId, problem, status, answer } = operation;
    // A checkout's operation acts on its customer.
    if (subscriptionId !== null) await pathOf('subscriptions', subscriptionId, user);
    else if ((await tollgate('GET', customerPath(user))).id !== targetId) throw new Error(NOT_YOURS);
    if (problem !== null) throw new Refused(problem);
    if (status === 'abandoned') throw new Error('Nothing was changed. Please try again.');
    if (answer === null) return WAITING;
    const { url, approvalUrl } = answer.body;
    return { to: url ?? approvalUrl ?? '/' };
  },
};

const WAITING = '<meta http-equiv="refresh" content="1"><h1>One moment …</h1>';

function unpaid({ plan }, { id, url }) {
  return `<h2>Your plan: ${escape(plan.name)}</h2>
    <p>${url === null ? 'It waits for your payment.' : `<a href="${escape(url)}">Go on to the payment</a>`}</p>
    ${button('expire', 'Choose another plan', { checkout: id })}`;
}

function pricing(plans) {
  const offers = plans.map(({ slug, name, price, interval, trialDays, entitlements, providers }) => {
    const grants = entitlements.map(({ feature, quota, unlimited }) => {
      const much =
        feature.kind === 'boolean' ? '' : unlimited ? 'unlimited ' : `${quota.toLocaleString('en')} `;
      return `<li>${escape(much + feature.name)}</li>`;
    });
    const buttons = providers
      .filter(({ sellable }) => sellable)
      .map(({ provider }) => button('buy', `${name}: ${SELLERS[provider]}`, { plan: slug, provider }));
    const trial = trialDays > 0 ? `, ${trialDays} days free` : '';
    return `<section><h3>${escape(name)}</h3><p>${money(price)} a ${interval}${trial}</p>
      <ul>${grants.join('')}</ul>${buttons.join('')}</section>`;
  });
  return `<h2>Plans</h2>${offers.join('')}`;
}

const SELLERS = {
  internal: 'pay by invoice',
  provider_a: 'pay with A',
  provider_b: 'pay with B',
  provider_c: 'pay with C',
};

function account(subscription, plans) {
  const { id, plan, status, currentPeriodEnd, waitingFor, capabilities, pendingApproval } = subscription;
  const others = plans.filter(({ slug }) => slug !== plan.slug);
  const changes = others.map(
    ({ slug, name }) =>
      `<li><a href="/preview?subscription=${id}&amp;plan=${slug}">Change to ${escape(name)}</a></li>`,
  );
  const approval = pendingApproval?.approvalUrl;
  return `<h2>Your plan: ${escape(plan.name)}</h2>
    <p>It is <b>${status}</b>; the period ends on ${currentPeriodEnd.slice(0, 10)}. ${escape(waitingFor ?? '')}</p>
    ${approval ? `<p><a href="${escape(approval)}">Approve the change</a></p>` : ''}
    ${capabilities.planChange.available ? `<ul>${changes.join('')}</ul>` : ''}
    ${capabilities.cancel.available ? button('cancel', 'Cancel my plan', { subscription: id }) : ''}
    ${capabilities.reactivate.available ? button('reactivate', 'Keep my plan', { subscription: id }) : ''}`;
}

function usage(entitlements) {
  const rows = entitlements.map(({ feature, name, kind, allowed, remaining, unlimited, reason }) => {
    const left = kind === 'boolean' ? 'yes' : unlimited ? 'unlimited' : `${remaining} left`;
    return `<tr><th>${escape(name)}</th><td data-feature="${feature}">${allowed ? left : escape(reason.message)}</td></tr>`;
  });
  return `<table>${rows.join('')}</table>`;
}

// ---- The server -------------------------------------------------------------------------------------------------------

const server = createServer((request, response) => {
  answer(request)
    .catch((error) => {
      if (!(error instanceof Refused)) console.error(error);
      const status = error instanceof Refused ? 409 : 500;
      return {
        status,
        page: `<h1>Sorry</h1><p role="alert">${escape(error.message)}</p><p><a href="/">Back</a></p>`,
      };
    })
    .then(({ status = 200, to, user, page }) => {
      const cookie = user && { 'Set-Cookie': `user=${user}; HttpOnly; SameSite=Lax; Path=/` };
      if (to !== undefined) return response.writeHead(303, { Location: to, ...cookie }).end();
      const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Poems by the token</title>';
      return response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(head + page);
    });
});

async function answer(request) {
  const origin = `http://${request.headers.host}`;
  const { pathname, searchParams: query } = new URL(request.url, origin);
  // A real product has sessions; here everybody is who they say they are.
  const user = /(?:^|; )user=([\w.-]{1,60})/.exec(request.headers.cookie ?? '')?.[1] ?? null;
  if (request.method === 'POST') {
    const action = entryOf(actions, pathname.slice(1));
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const name = pathname === '/sign-in' ? form.user : user;
    if (action === undefined || !/^[\w.-]{1,60}$/.test(name ?? '')) return { to: '/' };
    return action({ ...form, user: name, origin });
  }
  const page = entryOf(pages, pathname);
  if (page === undefined || (user === null && pathname !== '/')) return { to: '/' };
  const content = await page({ user, query });
  return typeof content === 'string' ? { page: content } : content;
}

/** An object's own entry: each has others, such as `constructor`, which an address must not call. */
const entryOf = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > 10_000) throw new Error('This form is too large.');
  }
  return body;
}

server.once('error', ({ code, message }) => {
  console.error(
    code === 'EADDRINUSE' ? `Port ${PORT} of 127.0.0.1 is taken: set PORT to another one.` : message,
  );
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Open http://127.0.0.1:${server.address().port}`);
});
