import { randomUUID } from 'node:crypto';
import { createCustomer, createPlan, idOf, subscribe } from '../catalog/offer';
import { dataOf } from '../support/billing';
import type { ConsoleAnswer, OperatorClient } from '../support/operator';

type Members = Record<string, unknown>;

/** A new customer's subscription and the transaction of its first period. */
export interface Owing {
  subscriptionId: string;
  customerId: string;
  externalId: string;
  transactionId: string;
}

/** Opens a subscription on its own plan: 29.00 USD a month, unless the plan's members say otherwise. */
export async function owing(client: OperatorClient, plan: Members = {}): Promise<Owing> {
  const { id: customerId, externalId } = await createCustomer(client);
  const planId = await createPlan(client, plan);
  const subscriptionId = idOf(await subscribe(client, { customerId, planId }));
  const transactions = await client.get('/api/billing/transactions', { query: { subscriptionId } });
  return { subscriptionId, customerId, externalId, transactionId: String(dataOf(transactions)[0]?.['id']) };
}

export function usd(amount: string): { amount: string; currency: string } {
  return { amount, currency: 'USD' };
}

function post(client: OperatorClient, path: string, body: object, key: string): Promise<ConsoleAnswer> {
  return client.post(path, { body, headers: { 'Idempotency-Key': key } });
}

/** @param amount minor units of USD, or money */
export function pay(
  client: OperatorClient,
  transactionId: string,
  amount: string | object,
  members: Members = {},
  key: string = randomUUID(),
): Promise<ConsoleAnswer> {
  const money = typeof amount === 'string' ? usd(amount) : amount;
  return post(client, '/api/billing/payments', { transactionId, amount: money, ...members }, key);
}

/** @param amount minor units of USD, or money; defaults to the full remaining amount */
export function refund(
  client: OperatorClient,
  paymentId: string,
  amount?: string | object,
  members: Members = {},
  key: string = randomUUID(),
): Promise<ConsoleAnswer> {
  const money = typeof amount === 'string' ? usd(amount) : amount;
  const body = { paymentId, ...(money === undefined ? {} : { amount: money }), ...members };
  return post(client, '/api/billing/refunds', body, key);
}

export function settle(
  client: OperatorClient,
  body: object,
  key: string = randomUUID(),
): Promise<ConsoleAnswer> {
  return post(client, '/api/billing/settlements', body, key);
}

/** Reads one item of a list: `read(client, 'payments', id)`. */
export async function read(client: OperatorClient, list: string, id: string): Promise<Members> {
  return (await client.get(`/api/billing/${list}/${id}`)).body;
}

/** Returns the newest developer events of a type. */
export async function eventsOf(client: OperatorClient, eventType: string): Promise<Members[]> {
  return dataOf(await client.get('/api/developer-events', { query: { eventType } }));
}
