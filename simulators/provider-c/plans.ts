import type { z } from 'zod';
import { newCode, type Account } from './account';
import { Refusal } from './answers';
import type { planParameters } from './parameters';
import type { Plan } from './records';

export function createPlan(
  account: Account,
  input: z.output<typeof planParameters>,
  code = newCode('PLN'),
): Plan {
  const plan: Plan = {
    id: account.nextId(),
    code,
    name: input.name,
    description: input.description ?? null,
    amount: input.amount,
    currency: input.currency,
    interval: input.interval,
    invoiceLimit: input.invoice_limit,
    createdAt: account.now,
  };
  account.plans.set(code, plan);
  return plan;
}

export function findPlan(account: Account, code: string): Plan {
  const plan = account.plans.get(code);
  if (plan === undefined) throw new Refusal(404, 'plan_not_found', 'Plan not found');
  return plan;
}
