/** The boundaries of docs/design.md, section "Layout": one rule a sentence. */
const from = (path) => ({ path });

/** From the ground up: a folder imports those before it, and none after it. A new folder gets its place here. */
const ORDER = [
  ...['src/domain', 'src/identifiers', 'src/tenancy', 'src/pagination', 'src/schemas'],
  ...[
    'src/db',
    'src/clock',
    'src/telemetry',
    'src/audit',
    'src/platform-audit',
    'src/idempotency',
    'src/outbox',
    'src/announcements',
    'src/rate-limits',
  ],
  ...['src/providers', 'src/credentials', 'src/config'],
  ...[
    'src/settings',
    'src/operators',
    'src/organizations',
    'src/api-keys',
    'src/events',
    'src/usage',
    'src/usage-history',
  ],
  ...[
    'src/catalog',
    'src/connections',
    'src/plan-prices',
    'src/customers',
    'src/usage-entities',
    'src/usage-reservations',
    'src/usage-reversals',
    'src/expansion',
  ],
  ...[
    'src/operations',
    'src/subscriptions',
    'src/checkouts',
    'src/payments',
    'src/webhooks',
    'src/drift',
    'src/webhook-messages',
  ],
  ...['src/sandbox-clock', 'src/erasure', 'src/maintenance', 'src/overview'],
  ...['workflows', 'src/temporal', 'src/relay', 'src/verification', 'activities'],
  ...['src/service', 'src/http', 'src/server', 'src/embedded', 'src/listen', 'src/main'],
];
const imports = ORDER.map((folder, place) => {
  const above = ORDER.slice(place + 1);
  return {
    name: `${folder}-imports-only-what-stands-before-it`,
    severity: 'error',
    from: from(`^${folder}/`),
    to: { path: `^(${above.join('|')})/` },
  };
});

module.exports = {
  forbidden: [
    ...imports.slice(0, -1),
    {
      name: 'every-folder-has-a-place',
      severity: 'error',
      from: { path: '^src/', pathNot: `^(${ORDER.join('|')})/` },
      to: {},
    },
    {
      name: 'reconcile-imports-nothing-of-webhooks-above-it',
      severity: 'error',
      from: from('^src/webhooks/reconcile/'),
      to: { path: '^src/webhooks/[^/]+$' },
    },
    {
      name: 'subscriptions-import-neither-their-commands-nor-the-provider-side',
      severity: 'error',
      from: from('^src/subscriptions/[^/]+$'),
      to: { path: '^src/subscriptions/(at-provider|commands)/' },
    },
    {
      name: 'the-provider-side-imports-no-commands',
      severity: 'error',
      from: from('^src/subscriptions/at-provider/'),
      to: { path: '^src/subscriptions/commands/' },
    },
    {
      name: 'the-port-imports-no-adapter',
      severity: 'error',
      from: from('^src/providers/[^/]+$'),
      to: { path: '^src/providers/provider-[^/]+/' },
    },
    {
      name: 'the-http-frame-imports-no-routes-and-no-authenticators',
      severity: 'error',
      from: from('^src/http/[^/]+$'),
      to: { path: '^src/http/(auth|console|v1|docs)/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports-nothing-outside-itself',
      severity: 'error',
      from: from('^src/domain'),
      to: { pathNot: ['^src/domain', '^node_modules/(temporal-polyfill|big\\.js|@types)'] },
    },
    {
      name: 'workflows-are-deterministic',
      severity: 'error',
      from: from('^workflows'),
      to: {
        pathNot: ['^workflows', '^src/domain', '^node_modules/@temporalio/(workflow|common)'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'http-knows-no-database-provider-or-temporal',
      severity: 'error',
      from: from('^src/http'),
      to: {
        path: [
          '^node_modules/(knex|pg|objection|graphile-worker|@temporalio|stripe)',
          '^src/(db|providers|temporal|outbox)/',
        ],
      },
    },
    {
      name: 'providers-import-domain-only',
      severity: 'error',
      from: from('^src/providers'),
      to: { path: '^src/(?!providers|domain)' },
    },
    {
      name: 'simulators-import-domain-and-each-other-only',
      severity: 'error',
      from: from('^simulators'),
      to: { path: '^(src/(?!domain/)|activities|workflows|test|bench|endurance)' },
    },
    {
      name: 'only-entry-points-read-config',
      severity: 'error',
      from: { path: '^(src|activities|workflows)', pathNot: '^src/(main|config)/' },
      to: { path: '^src/config/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-an-entry-point',
      severity: 'error',
      from: { pathNot: '^src/main/' },
      to: { path: '^src/main/' },
    },
    {
      name: 'sql-stands-only-in-stores',
      severity: 'error',
      from: {
        path: '^(src|activities)/',
        pathNot: [
          '^src/db/',
          '^src/main/',
          '^src/embedded/',
          '^src/(outbox|relay)/',
          '-store\\.ts$',
          '^src/.*/store/',
        ],
      },
      to: { path: '^node_modules/(pg|knex|objection)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-grab-bags',
      severity: 'error',
      from: {},
      to: { path: '(^|/)(utils?|helpers?|common|manager)(\\.ts|/)', pathNot: 'node_modules' },
    },
    {
      name: 'service-does-not-import-tests-or-development-packages',
      severity: 'error',
      from: from('^(src|workflows|activities)'),
      to: { path: '^(test|bench|endurance|simulators)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
