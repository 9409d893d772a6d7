import { useService } from '../support/use-service';

const service = useService();

test.each(['sandbox', 'production'] as const)(
  'on the %s host customers are told that they can close the window',
  async (host) => {
    const tokens = '?token=EC-1&PayerID=P1&session_id=cs_1&reference=r';
    const answer = await fetch(`${service.urls[host]}/checkout/return${tokens}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await answer.text();
    expect(page).toContain('<html lang="en">');
    expect(page).toMatch(/<main>\s*<h1>You can close this window<\/h1>/);
    expect(page).not.toMatch(/<script|EC-1|cs_1/);
  },
);
