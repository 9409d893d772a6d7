import type { ConnectionAccess } from '../connection-access';
import { planReferencesOf } from '../plan-references';
import type { ConnectionCheck } from '../provider-adapter';
import { readOutcome, type Fetched } from './client';
import { planAnswer, plansAnswer } from './schemas';

const KEY_PREFIXES = { sandbox: 'sk_test_', live: 'sk_live_' } as const;

/** Runs the four checks in order. A check without a corresponding call at the provider says so. */
export async function testConnection(access: ConnectionAccess): Promise<ConnectionCheck[]> {
  const authentication = await checkAuthentication(access);
  return [
    authentication,
    checkWebhook(access),
    await checkPlanReferences(access, authentication.ok),
    checkMode(access),
  ];
}

async function checkAuthentication(access: ConnectionAccess): Promise<ConnectionCheck> {
  const answer = await readOutcome(access, '/plan?perPage=1&page=1', plansAnswer);
  const ok = answer.kind === 'done';
  return { check: 'authentication', ok, message: ok ? 'The secret key is accepted.' : answer.reason };
}

/** Provider C has one webhook address per account, which only its dashboard shows. */
function checkWebhook({ secrets }: ConnectionAccess): ConnectionCheck {
  const ok = (secrets['secretKey'] ?? '') !== '';
  const message = ok
    ? 'Webhooks are verified with the secret key. Provider C cannot be asked for its webhook address: see that it is set in the dashboard.'
    : 'Webhooks are verified with the secret key, which is not saved yet.';
  return { check: 'webhook', ok, message };
}

async function checkPlanReferences(
  access: ConnectionAccess,
  isAuthenticated: boolean,
): Promise<ConnectionCheck> {
  const check = 'plan_references';
  const codes = [...new Set(planReferencesOf(access.settings).values())];
  if (codes.length === 0) return { check, ok: true, message: 'No plan references are saved.' };
  if (!isAuthenticated)
    return { check, ok: false, message: 'Not asked, because the secret key is not accepted.' };
  const problems: string[] = [];
  for (const code of codes) {
    const answer = await readPlan(access, code);
    if (answer.kind !== 'done') problems.push(`${code}: ${answer.reason}`);
    else if (answer.value.data.plan_code !== code)
      problems.push(`${code}: is the plan ${answer.value.data.plan_code}.`);
  }
  const found = `${codes.length - problems.length} of ${codes.length} plans exist.`;
  return { check, ok: problems.length === 0, message: [found, ...problems].join(' ') };
}

function readPlan(access: ConnectionAccess, code: string): Promise<Fetched<{ data: { plan_code: string } }>> {
  return readOutcome(access, `/plan/${encodeURIComponent(code)}`, planAnswer);
}

/** The key itself contains the mode. */
function checkMode({ apiMode, secrets }: ConnectionAccess): ConnectionCheck {
  const prefix = KEY_PREFIXES[apiMode];
  const ok = secrets['secretKey']?.startsWith(prefix) === true;
  const message = ok
    ? `The secret key is one for the mode ${apiMode}.`
    : `A connection in the mode ${apiMode} needs a secret key that begins with ${prefix}.`;
  return { check: 'mode', ok, message };
}
