import type { Subscription, Transaction } from './records';

/** Renders the hosted page: the price, and a button for each action of a customer. */
export function checkoutPage(transaction: Transaction, notice: string): string {
  const renewals =
    transaction.plan === null ? '' : button('pay_once', 'Pay, with a card that declines renewals');
  return page(
    `${notice}<p>${escape(transaction.customer.email)} pays <b>${price(transaction)}</b>${plan(transaction)}.</p>
<form method="post">${button('pay', 'Pay')}${renewals}${button('pay_by_bank', 'Pay by a bank that answers later')}${button('decline', 'Use a card that is declined')}${button('authenticate', 'Use a card that asks for authentication')}${button('abandon', 'Leave without paying')}</form>`,
  );
}

export function authenticationPage(transaction: Transaction): string {
  return page(
    `<p>Your bank asks you to confirm the payment of ${price(transaction)}.</p>
<form method="post">${button('pay', 'Confirm')}${button('decline', 'Reject')}${button('abandon', 'Leave')}</form>`,
  );
}

export function closingPage(message: string): string {
  return page(`<p>${escape(message)}</p>`);
}

export function managePage({ status, plan: chosen, customer }: Subscription): string {
  const what = `<p>${escape(customer.email)}, ${escape(chosen.name)}: ${status}</p>`;
  if (status === 'cancelled' || status === 'completed') return page(what);
  const label = status === 'non-renewing' ? 'Renew after all' : 'Do not renew it';
  return page(`${what}<form method="post">${button('change', label)}</form>`);
}

export function notice(message: string): string {
  return `<p role="alert">${escape(message)}</p>`;
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Provider C (simulated)</title><style>body{font:16px sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem}button{display:block;width:100%;margin:.5rem 0;padding:.7rem}</style>
<h1>Provider C</h1><p>This page is simulated. No money moves.</p>${content}</html>`;
}

function button(act: string, label: string): string {
  return `<button name="act" value="${act}">${escape(label)}</button>`;
}

function price({ amount, currency }: Transaction): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} ${currency}`;
}

function plan({ plan: chosen }: Transaction): string {
  return chosen === null ? '' : ` for ${escape(chosen.name)}, ${chosen.interval}`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
