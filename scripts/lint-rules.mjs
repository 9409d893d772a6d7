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

const STATEMENT = /^\s*\(?(EXISTS \()?(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH) /;
const TABLE = /^tollgate\.[a-z_]+( as |$)/;

const noSql = {
  meta: {
    type: 'problem',
    messages: { found: 'SQL is only in files named *-store.ts, so that a feature reads without it.' },
  },
  create: (context) => {
    const check = (node, text) => {
      if (STATEMENT.test(text) || TABLE.test(text)) context.report({ node, messageId: 'found' });
    };
    return {
      CallExpression(node) {
        const [first] = node.arguments;
        if (first?.type === 'Literal' && typeof first.value === 'string' && !isCallOf(node, 'Symbol', 'for'))
          check(first, first.value);
      },
      TemplateLiteral(node) {
        check(node, node.quasis[0].value.raw);
      },
    };
  },
};

const noSpreadLiteral = {
  meta: { type: 'suggestion', messages: { found: 'Write the members into the object itself.' } },
  create: (context) => ({
    ObjectExpression(node) {
      for (const { type, argument } of node.properties)
        if (type === 'SpreadElement' && argument.type === 'ObjectExpression')
          context.report({ node: argument, messageId: 'found' });
    },
  }),
};

export default {
  meta: { name: 'tollgate' },
  rules: {
    'no-current-time': noCurrentTime,
    'no-random': noRandom,
    'no-spread-literal': noSpreadLiteral,
    'no-sql': noSql,
  },
};
