/** The project's own lint rules, which .oxlintrc.json loads. */

const isNamed = (node, name) => node.type === 'Identifier' && node.name === name;

/** Whether a call is of `object.property`. */
const isCallOf = ({ callee }, object, property) =>
  callee.type === 'MemberExpression' && isNamed(callee.object, object) && isNamed(callee.property, property);

const noCurrentTime = {
  meta: {
    type: 'problem',
    messages: {
      found:
        'Time is an argument: take the instant from the caller, or from a Clock at the edge (src/clock).',
    },
  },
  create: (context) => ({
    CallExpression(node) {
      if (isCallOf(node, 'Date', 'now')) context.report({ node, messageId: 'found' });
    },
    NewExpression(node) {
      if (isNamed(node.callee, 'Date') && node.arguments.length === 0)
        context.report({ node, messageId: 'found' });
    },
  }),
};

const noRandom = {
  meta: { type: 'problem', messages: { found: 'Use node:crypto, or pass the value in.' } },
  create: (context) => ({
    CallExpression(node) {
      if (isCallOf(node, 'Math', 'random')) context.report({ node, messageId: 'found' });
    },
  }),
};

export default {
  meta: { name: 'tollgate' },
  rules: { 'no-current-time': noCurrentTime, 'no-random': noRandom },
};
