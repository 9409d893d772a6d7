const Sequencer = require('@jest/test-sequencer').default;

/** Those that wait for servers, clocks and processes of their own. */
const LONG = /[/\\]test[/\\](temporal|workflows|embedded|webhooks)[/\\]/;

/** The long test files first, so that none of them is begun when the others are nearly done. */
module.exports = class LongFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [
      ...sorted.filter(({ path }) => LONG.test(path)),
      ...sorted.filter(({ path }) => !LONG.test(path)),
    ];
  }
};
