/** The Fetch standard's blocked ports from 1024 up: browsers, and Node's `fetch`, do not connect to them. */
export const BLOCKED_PORTS: readonly number[] = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6679, 6697, 10080],
];
