const { existsSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const ROOT = path.join(__dirname, '..', '..');

/** Tests that take more than half a minute each, mostly waiting for processes, clocks and pauses. */
const LONGEST = [
  'test/endurance/kills.test.ts',
  'test/webhooks/shuffled-providers.test.ts',
  'test/temporal/provider-year.test.ts',
  'test/bench/benchmarks.test.ts',
  'test/docs/commands.test.ts',
  'test/subscriptions/late-provider.test.ts',
  'test/endurance/deployment.test.ts',
  'test/clients/generated-clients.test.ts',
  'test/usage/crash.test.ts',
  'test/endurance/commands-during-outages.test.ts',
  'test/console/every-page.test.ts',
].map((file) => path.join(ROOT, file));

/** Tests that wait for servers, clocks, browsers and separate processes. */
const LONG = /[/\\]test[/\\](temporal|workflows|embedded|webhooks|endurance|console)[/\\]/;

/** Runs the long test files first, so that none of them starts when the others are nearly done. */
module.exports = class LongFirst extends Sequencer {
  async sort(tests) {
    const missing = LONGEST.find((file) => !existsSync(file));
    if (missing !== undefined) throw new Error(`${__filename} names ${missing}, which is not there.`);
    const rank = ({ path: file }) => {
      const place = LONGEST.indexOf(file);
      if (place !== -1) return place;
      return LONGEST.length + (LONG.test(file) ? 0 : 1);
    };
    // Array.prototype.sort is stable.
    return (await super.sort(tests)).sort((one, other) => rank(one) - rank(other));
  }
};
