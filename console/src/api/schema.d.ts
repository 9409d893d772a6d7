/** Made from docs/openapi/console.json by test/console/api-types.test.ts. Do not edit. */

export interface paths {
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items that need attention, and whether the processes are running
         * @description Counts for the environment, and the processes of the installation.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plan groups
         * @description Newest first.
         */
        get: operations["listPlanGroups"];
        put?: never;
        /**
         * Create a plan group
         * @description A group holds alternative plans: a customer has at most one open subscription in a group.
         */
        post: operations["createPlanGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan-groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a plan group */
        get: operations["getPlanGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a plan group */
        patch: operations["updatePlanGroup"];
        trace?: never;
    };
    "/api/plan-groups/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a plan group
         * @description It accepts no new plans, and its plans accept no new subscriptions. Existing subscriptions continue.
         */
        post: operations["archivePlanGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan-groups/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unarchive a plan group
         * @description It accepts plans, and its plans accept subscriptions, again.
         */
        post: operations["unarchivePlanGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description Newest first, each with its group, its entitlements, and where it can be sold: everything a pricing page shows. `archived=false` omits those that accept no new subscriptions.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description The price is for one interval, and for one seat where `pricing` is `per_seat`. `metadata` may hold `providerAPriceId`, `providerBPlanId` and `providerCPlanCode`, and labels of your own.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a plan */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        /**
         * Delete a plan that never had a subscription
         * @description Deletes its entitlements too. Archive a plan that has or had subscriptions, or to which one may change, instead.
         */
        delete: operations["deletePlan"];
        options?: never;
        head?: never;
        /**
         * Change a plan
         * @description A new price applies to new subscriptions at once and to existing ones from their next renewal. Once the plan has or had subscriptions, or one may change to it, its group, currency, interval and pricing are fixed. `metadata` replaces the stored object. If a payment provider’s price differs, the change is made, `atProviders` reports the difference, and the plan is not sold there until the prices match.
         */
        patch: operations["updatePlan"];
        trace?: never;
    };
    "/api/plans/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a plan
         * @description It accepts no new subscriptions. Existing ones continue, and so do changes to it that are already scheduled.
         */
        post: operations["archivePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unarchive a plan
         * @description It accepts new subscriptions again.
         */
        post: operations["unarchivePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List features
         * @description Newest first.
         */
        get: operations["listFeatures"];
        put?: never;
        /**
         * Create a feature
         * @description A `metered` feature counts units against a quota; a `boolean` one is on or off. The key never changes: integrators send it as `feature`.
         */
        post: operations["createFeature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/features/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a feature */
        get: operations["getFeature"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a feature’s name, unit or dimensions
         * @description Omitted members keep their values. `dimensions` replaces the list: a new dimension applies from now on, and the breakdown by a removed one is deleted.
         */
        patch: operations["updateFeature"];
        trace?: never;
    };
    "/api/features/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a feature
         * @description It can no longer be added to plans. Existing entitlements and usage stay.
         */
        post: operations["archiveFeature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/features/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unarchive a feature
         * @description It can be added to plans again.
         */
        post: operations["unarchiveFeature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entitlements of a plan
         * @description Newest first.
         */
        get: operations["listEntitlements"];
        put?: never;
        /**
         * Attach a feature to a plan
         * @description Name the feature by `featureId` or `featureKey`. A metered feature needs a `quota` (null is unlimited); a boolean one has none. It applies to the plan’s subscribers at once, from the next check or track.
         */
        post: operations["createEntitlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}/entitlements/{entitlementId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the terms of an entitlement
         * @description It applies to the plan’s subscribers at once, from the next check or track.
         */
        put: operations["replaceEntitlement"];
        post?: never;
        /**
         * Remove a feature from a plan
         * @description Recorded usage stays. It applies to the plan’s subscribers at once, from the next check or track.
         */
        delete: operations["deleteEntitlement"];
        options?: never;
        head?: never;
        /**
         * Change terms of an entitlement
         * @description Omitted terms keep their values. It applies to the plan’s subscribers at once, from the next check or track.
         */
        patch: operations["updateEntitlement"];
        trace?: never;
    };
    "/api/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Newest first. `search` matches the beginning of the external id (case-sensitive), the name or the e-mail address (case-insensitive).
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description `externalId` is the integrator’s own id; usage calls name the customer by it.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a customer */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase a customer
         * @description Cannot be undone. The customer’s external id, name, e-mail address and metadata are removed immediately; then records about the customer are blanked: events, stored answers, webhooks, texts. Money and usage are kept under a pseudonym. Refused while a subscription, checkout, refund or operation is open. The answer is 202 until everything is blanked, and `Location` is the address to poll; a repeated request returns the same erasure. The external id can be reused immediately for a new customer and then refers to that one. Needs the role `admin`.
         */
        delete: operations["eraseCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Omitted members keep their values; null clears. `metadata` replaces the stored object. The external ID never changes.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/api/customers/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a check for a customer
         * @description The same check as `POST /v1/usage/check`: the decision is recorded with the source `console`, and nothing is reserved.
         */
        post: operations["checkCustomerUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a customer may use now
         * @description Each feature that is not archived, and archived ones that the customer’s plans still grant, sorted by key, with the answer that a check of one unit would return. Records no decision.
         */
        get: operations["listCustomerEntitlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customer-erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an erasure
         * @description Its progress, and the providers that still hold data of the customer. Erasures are kept as long as the customer’s financial records.
         */
        get: operations["getCustomerErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer’s credits
         * @description Grants, newest first, and the balance that can be spent now.
         */
        get: operations["listCredits"];
        put?: never;
        /**
         * Grant credits to a customer
         * @description Credits pay for units beyond a quota where the entitlement has a `creditCost`. The grant that expires first is spent first.
         */
        post: operations["grantCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/credits/{grantId}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a grant of credits now
         * @description The rest of the grant can no longer be spent. Expiring it again changes nothing.
         */
        post: operations["expireCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/portal-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a customer’s links and sessions
         * @description Open pages of the customer end at their next request, and existing links no longer work; new links can be created. Use it when the customer signs out of your application everywhere, or changes who may see the bills.
         */
        delete: operations["endPortalSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Newest first.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribe a customer to a plan
         * @description Opens a local-billing subscription (provider `internal`) at once, at the plan’s current price. Name the customer by `customerId` or `externalId`, and the plan by `planId` or `planSlug`. A customer has at most one open subscription in a plan group.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a subscription */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming renewals and ends
         * @description Open subscriptions whose current period ends within a day, a week or a month, earliest first, with what happens to each then.
         */
        get: operations["listDueSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription’s timeline
         * @description The history, newest first. Each page has `upcoming`: the next steps if nothing is done.
         */
        get: operations["getSubscriptionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Newest first: in local billing, a transaction for each period (`initial`, `renewal`) and one for each immediate change (`proration`). A payment provider bills on its own; the list of payments has what it collected.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a transaction */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checkouts
         * @description Newest first.
         */
        get: operations["listCheckouts"];
        put?: never;
        /**
         * Create a checkout for a plan or a one-time payment
         * @description With `planId` or `planSlug`, creates an `incomplete` subscription that begins once the checkout is paid, or expires at `expiresAt`. With `amount` and `description`, collects a one-time payment. Local billing: record the payment of the returned transaction (of the checkout itself for a one-time payment); if nothing is due (a trial, a free plan), the subscription begins immediately. Payment provider: send the customer to `url`; the answer is 202 until the provider has created the page. A new checkout replaces the customer’s unpaid checkout in the same plan group.
         */
        post: operations["createCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a checkout */
        get: operations["getCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/checkouts/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a checkout
         * @description The checkout can no longer be paid, and its subscription expires. Partial payments stay recorded. Expiring it again changes nothing. At a payment provider, the provider is asked first: a checkout that was just paid becomes complete. Until the provider answers, the answer is 202 with the checkout `open` and `givenUpAt` set.
         */
        post: operations["expireCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription
         * @description Local billing and provider B end at once: access is denied from the next call, open transactions are void, and a scheduled change is withdrawn. Providers A and C end with the period (`capabilities.cancel.timing`). Cancelling again changes nothing.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate a subscription
         * @description Withdraws a cancellation before the end of the period, if the provider supports it: see `capabilities.reactivate`.
         */
        post: operations["reactivateSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry pending work at the provider now
         * @description Runs what is waiting at the payment provider now: a call without an outcome, a failed preparation of a renewal, the poll for an approval, a renewal or a payment. Its workflow does this right after the answer; `waitingFor` and the timeline show the result.
         */
        post: operations["retrySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change plan or seats
         * @description An upgrade or more seats take effect at once, with one transaction for the net amount (provider A charges it on its own invoice, or refuses the change). A downgrade, fewer seats or another interval take effect at the next renewal. At provider B, the customer approves every change at `approvalUrl`, and it takes effect at the renewal. `dryRun=true` previews the change and needs no Idempotency-Key; `shown` holds the change to what its preview said.
         */
        post: operations["changeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/scheduled-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw the scheduled change
         * @description Possible until the renewal, or until the customer has approved it. The current terms continue. Without an Idempotency-Key, a retry is a new request.
         */
        delete: operations["withdrawScheduledChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations
         * @description Commands on subscriptions, payments and checkouts, newest first, without their answers: `status=open` has those that are not concluded. Kept for 30 days.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an operation
         * @description The state of a command that was answered 202: in progress, succeeded (with its answer) or refused (with the problem). Kept for 30 days.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Newest first.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Record a payment
         * @description Records a full or partial payment of a local-billing transaction. The part beyond the amount due, and a payment of a void transaction, is recorded as unapplied and can be refunded. A past-due subscription becomes active again once nothing is due; an incomplete one begins once its checkout is paid in full. With `checkoutId`, records the full payment of a one-time checkout. Needs the role `admin`.
         */
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a payment */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         * @description Newest first.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund a payment
         * @description Refunds all or part of a payment, never more than was paid, even with concurrent requests. Its transaction does not become due again, and its subscription does not change; to end access, cancel the subscription. Local billing: the refund succeeds at once. Payment provider: the refund is made through the connection of the payment; the answer is 202 until the provider confirms or declines it. A declined refund is `failed` and no longer counts against the payment. Refunds made at the provider itself are listed here too. Needs the role `admin`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a refund */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/events/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reverse a usage event, in full or in part
         * @description Possible once per event. The units are returned to the same usage period and the same grants; an expired grant stays expired. The event is kept and marked as reversed.
         */
        post: operations["reverseUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read usage over time
         * @description Sums by hour, day or month of a time zone, over everything recorded so far: late usage counts at the time of use, and reversed usage is excluded. At most 1,000 points, counting `limit` groups and one for the others.
         */
        get: operations["readUsageSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage events
         * @description Newest first, by time of use.
         */
        get: operations["listUsageEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a usage event */
        get: operations["getUsageEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export usage events
         * @description All usage events up to now (or `to`), oldest first, one per line, streamed. Each line has a `cursor`: if the connection is lost, send the cursor of the last complete line as `after`, with the same filters, to get the rest (a CSV without its header). A response that ends normally is complete. Late usage recorded during the export, with a time before the current line, is in the next export. Limits per process: 5 exports in progress for a key or an operator, 10 for an organization.
         */
        get: operations["exportUsageEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer’s reservations
         * @description Newest first: those held now, and those confirmed, released or expired within the last month, or within the days that usage may be reported late (`usageReportedDays`) if those are more.
         */
        get: operations["listReservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/reservations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a reservation */
        get: operations["getReservation"];
        put?: never;
        post?: never;
        /**
         * Release a reservation
         * @description Releasing a released or expired reservation changes nothing.
         */
        delete: operations["releaseReservation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer’s entities
         * @description The customer’s users, projects and so on, as named by usage; newest first. To see what one of them may use now, list the customer’s entitlements with `entity`.
         */
        get: operations["listEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{id}/entities/{entity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an entity of a customer
         * @description Frees its place where a plan limits the number of entities. Its usage stays counted, and its next usage creates it again.
         */
        delete: operations["removeEntity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description Newest first. Secrets are never shown again.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Messages of the chosen types are posted to it from now on, signed according to Standard Webhooks. `secret` is returned only once, so the request takes no Idempotency-Key. An environment has at most 100. In production this needs the role admin.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint */
        get: operations["readWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes its deliveries and their log too. In production this needs the role admin.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook endpoint
         * @description Omitted members keep their values. A disabled endpoint receives nothing, and its pending deliveries are cancelled: resend them once it is enabled. In production this needs the role admin.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll the secret of a webhook endpoint
         * @description Creates a new secret, returned only once. Messages carry both signatures until the overlap ends. If it is rolled again during the overlap, each earlier secret keeps signing until its own overlap ends. In production this needs the role admin.
         */
        post: operations["rollWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description Newest message first, each with its latest attempts. Kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/deliveries/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one delivery */
        get: operations["readWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/deliveries/{messageId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a message to a webhook endpoint
         * @description Sends it now, with the same `webhook-id` and up to ten attempts. This also works for a message that the endpoint was never sent. In production this needs the role admin.
         */
        post: operations["resendWebhookMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook endpoint
         * @description Sends a `webhook_endpoint.test` to this endpoint only, regardless of its types. In production this needs the role admin.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/resends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the messages since a time
         * @description Resends messages that were sent to the endpoint, and those of the types that it receives now, including those from before it existed or while it was disabled. They are queued in order of creation, a batch at a time; an endpoint has at most one running resend. In production this needs the role admin.
         */
        post: operations["resendWebhookMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/resends/{resendId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a resend */
        get: operations["readWebhookResend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook message */
        get: operations["getWebhookMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a subscription with its payment provider
         * @description Reads the provider now, and lists what differs and what cannot be compared. Changes neither side. The finding is kept (`drift=found` lists it) and reported as an event, as the daily comparison does. A change that waits for its renewal or for the customer’s approval is not drift.
         */
        get: operations["getSubscriptionDrift"];
        put?: never;
        /**
         * Repair the differences
         * @description `take: provider` copies the provider’s plan, seats, status and period to the subscription here, at the plan’s current price; a scheduled or requested change is withdrawn if the plan or the seats change. `take: local` writes the local state to the provider: plan and seats (A, without proration), whether it renews (A and C), and that it has ended (every provider). The answer lists what still differs.
         */
        post: operations["repairSubscriptionDrift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider-connections/{id}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a connection’s open subscriptions with the payment provider
         * @description Newest first. Each subscription is read at the provider now, so a page has at most 25, even with a larger `take`. If the provider does not answer, it is not asked for the rest of the page, which cannot be compared then. Continue while `hasMore` is true.
         */
        get: operations["listConnectionDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlements
         * @description Newest first.
         */
        get: operations["listSettlements"];
        put?: never;
        /**
         * Settle a period
         * @description Groups the local-billing payments and refunds of one currency before the period’s end that no settlement counts yet. Later ones, such as a refund of a settled payment, fall into the next settlement. Periods of a currency do not overlap. Needs the role `admin`.
         */
        post: operations["createSettlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/settlements/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect the providers’ settlements now
         * @description Every connection is polled once a day anyway. Each settlement is recorded once. Needs the role `admin`.
         */
        post: operations["collectSettlements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a settlement with its lines */
        get: operations["getSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The provider connections of an environment
         * @description Newest first, including disabled ones. Secrets are placeholders.
         */
        get: operations["listProviderConnections"];
        put?: never;
        /**
         * Connect an account of a payment provider
         * @description Secrets are stored encrypted and never shown again. Sandbox secrets are refused in production, and production secrets in the sandbox. In production this needs the role admin.
         */
        post: operations["createProviderConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider-connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a provider connection */
        get: operations["getProviderConnection"];
        put?: never;
        post?: never;
        /**
         * Disable a provider connection
         * @description It no longer receives webhooks or makes calls. Its subscriptions and payments stay. In production this needs the role admin.
         */
        delete: operations["disableProviderConnection"];
        options?: never;
        head?: never;
        /**
         * Change a provider connection
         * @description A secret that is omitted or empty keeps its stored value. A new one re-encrypts the whole set. Public settings change without touching the secrets. A plan whose price differs at the provider is mapped, listed in `planPrices`, and not sold until the prices match. In production this needs the role admin.
         */
        patch: operations["updateProviderConnection"];
        trace?: never;
    };
    "/api/provider-connections/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a provider connection
         * @description Checks credentials, webhook, plan references, plan prices and mode at the provider. Changes nothing. In production this needs the role admin.
         */
        post: operations["testProviderConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provider-credentials/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the credential migration report
         * @description For platform administrators. Remove an old key only when `pending` is 0.
         */
        get: operations["getCredentialReport"];
        put?: never;
        /**
         * Migrate credentials to the active key
         * @description Re-encrypts the secrets of every connection with the active key, and removes recognized secrets from public settings. Waits up to 30 seconds, then answers 202 with the report so far. Safe to repeat.
         */
        post: operations["migrateCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provider-credentials/active-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch the active credential key
         * @description Refused until every running process has the key. Stored secrets stay readable.
         */
        post: operations["switchCredentialKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platform audit
         * @description For platform administrators, newest first: log-ins, and what operators change of their passwords, second factors and sessions; credential keys and migrations; and webhooks that belong to no workspace. The sum of `count` is the number of occurrences.
         */
        get: operations["listPlatformAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Opens a new session and sets its cookie; for an account with a second factor the answer is 202, and the log-in continues with a code. Limit: 10 attempts for one account from one IP address in 15 minutes; a browser that has logged in before has its own limit.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in: second factor
         * @description Takes the `token` of a log-in that was answered 202, for 5 minutes. A code works once. Limit: 10 wrong codes for one account in 15 minutes and 50 in a day; a browser that has logged in before has its own limit.
         */
        post: operations["finishLogIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends this session on the server and clears the cookie.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the logged-in operator */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password
         * @description Ends your other sessions. This session continues under a new ID.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read your second factor */
        get: operations["getSecondFactor"];
        put?: never;
        /**
         * Start setting up a second factor
         * @description Returns a secret for an authenticator app (TOTP, RFC 6238). It takes effect once this session confirms it with a code within 30 minutes.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/enrol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish setting up a second factor
         * @description From now on logging in asks for a code. Your other sessions end.
         */
        post: operations["enrolSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your second factor in this session
         * @description A request refused with `second_factor_required` can then be sent again, for the next 10 minutes unless the installation sets another time. Applies to this session only.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create new recovery codes
         * @description The earlier ones no longer work.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn your second factor off
         * @description In an organization that requires one, you can then only set up another.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions
         * @description Those that are still valid, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitations/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an invitation
         * @description Shows the invitation without using it. The token is in the body, because logs contain addresses.
         */
        post: operations["lookAtInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Creates an account (name, and a password of 12 to 200 characters), or joins with the existing account of the e-mail address and its password. Logs in. An account with a second factor joins with a code: POST /api/auth/invitations/accept/second-factor.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitations/accept/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation with a second factor
         * @description The second step for an account with a second factor: a code of the authenticator app, or a recovery code. Joins and logs in, or does neither.
         */
        post: operations["acceptInvitationWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}/members/{operatorId}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a reset link for a member
         * @description For a member who lost their device or password. The link is shown only once, works once, expires after 24 hours, and replaces an earlier one. Using it sets a new password, removes the second factor and ends all sessions of the account. Needs the role owner. Refused for yourself, for platform administrators, and for accounts that also belong to another organization: the administrator of the installation resets these.
         */
        post: operations["issueResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-links/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a reset link
         * @description Shows the account it is for, without using it. The token is in the body, because logs contain addresses.
         */
        post: operations["lookAtResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-links/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset an account with a link
         * @description Sets a new password of 12 to 200 characters, removes the second factor, and ends the sessions of the account. Log in with the new password afterwards.
         */
        post: operations["useResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your organizations
         * @description All of your organizations, with your role in each, oldest first.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description For platform administrators. You become the owner. Both environments start with default settings: USD, UTC, no tax, internal billing, past due after 7 days, 7 days of grace, expired after 30.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one of your organizations */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description Needs the role admin. The slug stays.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/api/organizations/{id}/second-factor-requirement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Require a second factor for every member
         * @description Needs the role owner, and your own second factor. From the next request on, members without one can only set one up; their sessions stay.
         */
        put: operations["requireSecondFactor"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of an organization
         * @description All members, in the order in which they joined.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Returns a link to pass on. It is shown only once, works once, expires after 7 days, and replaces earlier invitations to the same address. Needs the role admin; owner to invite an owner.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}/members/{operatorId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave the organization
         * @description Needs the role admin, or owner for an owner; anyone may leave. Takes effect with the next request, and ends the member’s live streams, sessions (except your own) and the open invitations by or to them. Their keys, connections and webhook endpoints keep working: `review` lists them for a decision. The last owner cannot leave.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description Needs the role admin; owner to make or change an owner. The last owner cannot be changed. A lower role ends the member’s sessions (except your own) and their open invitations to higher roles; `review` lists the keys, connections, webhook endpoints and members that they created.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/api/organizations/{id}/access-review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Review what former members created
         * @description The active API keys, enabled provider connections and webhook endpoints, and members, of both environments, that an operator created, entered secrets or the address for, or invited; webhook endpoints also through an API key that they created. Without `operatorId`: those of everyone who is no longer a member. A member is listed for 30 days after they joined. Needs the role admin.
         */
        get: operations["reviewAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The open invitations
         * @description Invitations that can still be accepted, newest first. Needs the role admin.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link no longer works. Needs the role admin; owner where it invites an owner.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of an environment
         * @description Newest first, including revoked and expired ones. Keys are never shown again.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description `secret` is returned only once. Without `scopes` the key has usage, customers and events. In production this needs the role admin.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll an API key
         * @description Creates a key with the same name, scopes and expiry. Both work until the overlap ends; then the old one expires. `secret` is returned only once. In production this needs the role admin.
         */
        post: operations["rollApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description It stops working within 5 seconds everywhere. Revoking it again changes nothing. In production this needs the role admin.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit record
         * @description Newest first: actions in this environment and on the organization.
         */
        get: operations["listAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the settings of an environment */
        get: operations["getSettings"];
        /** Replace all settings */
        put: operations["replaceSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change some settings
         * @description Omitted settings keep their values. A member that is sent replaces the stored one as a whole.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/api/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the look and the options of the customer’s page */
        get: operations["getPortalSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the look and the options of the customer’s page
         * @description Omitted members keep their values; a member that is sent replaces the stored one as a whole. Open pages show it within seconds.
         */
        patch: operations["changePortalSettings"];
        trace?: never;
    };
    "/api/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sandbox’s time */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Advance the sandbox’s time
         * @description Advances to a time, or with `next_boundary` to the next step: the end of a billing period or trial, a payment that becomes past due, an expiry. The clock never moves back. One advance to a time may cause at most 10,000 steps, steps still to catch up on included. Usage periods, access, trials and renewals follow the clock; webhook signatures use real time.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search developer events
         * @description Newest first. A search reads up to 15,000 events per call (5,000 if a customer or subscription is named) and may return a short page with `hasMore: true`; pass `nextCursor` to search further back.
         */
        get: operations["listDeveloperEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a decision
         * @description Why a check or track was granted or denied: the rule that applied, and quota, usage, period and plan at that time. Kept as long as the events.
         */
        get: operations["getDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/developer-events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen to developer events
         * @description Server-sent events. The `data` of a `message` is an event as in the list. `gap`: events were skipped, read the list. `end`: the session or membership has ended, or the service is restarting. `heartbeat`: every 15 seconds. Resumes from `Last-Event-ID` within 24 hours. Limits per process: 20 open streams for an operator, 100 for an organization.
         */
        get: operations["streamDeveloperEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers’ webhooks
         * @description Verified webhooks and their results, newest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries that failed
         * @description Deliveries that were answered with an error, newest first. The sum of the counts is the number of deliveries.
         */
        get: operations["listWebhookFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a stored webhook again
         * @description Reads the current state from the provider and applies it, as if the webhook arrived now. `dryRun=true` changes nothing and shows what would change. Needs the role `admin`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvitationRequest: {
            token: string;
            name?: string;
            password: string;
        };
        AcceptInvitationWithCodeRequest: {
            token: string;
            secondFactor: {
                token: string;
                /** @description Six digits of the authenticator app, or a recovery code. */
                code: string;
            };
        };
        AccessGrant: {
            /** @enum {string} */
            kind: "api_key" | "provider_connection" | "webhook_endpoint" | "member";
            /**
             * @description Null for a member: members belong to both environments.
             * @enum {string|null}
             */
            environment: "sandbox" | "production" | null;
            id: string;
            name: string;
            /** @description The id of the operator who created it, entered its secrets or its address, or invited the member. */
            madeBy: string;
            /** @description That operator’s name. */
            madeByName: string;
            /** @description What that operator chose or knows, and nobody else has replaced since: `address` and `secret` of a webhook endpoint, the names of a connection’s secrets. Null for keys and members. */
            parts: string[] | null;
            /** Format: date-time */
            madeAt: string;
            /**
             * Format: date-time
             * @description For an API key; accurate to a minute or two.
             */
            lastUsedAt: string | null;
            /** @description What to decide, and how. */
            advice: string;
        };
        AccessGrantList: {
            data: components["schemas"]["AccessGrant"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        AdvanceSandboxClockRequest: {
            /**
             * Format: date-time
             * @example 2026-01-31T00:00:00Z
             */
            to: string;
        } | {
            /** @enum {string} */
            by: "next_boundary";
        };
        ApiKey: {
            id: string;
            name: string;
            /** @example svc_test_ */
            prefix: string;
            /** @description The key’s last four characters, to identify it. */
            lastFour: string;
            /** @description The key’s scopes. */
            scopes: ("read" | "usage" | "customers" | "subscriptions" | "billing" | "events" | "webhooks")[];
            createdBy: {
                id: string;
                name: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Accurate to a minute or two.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description The id of the key that this one replaces. */
            rolledFrom: string | null;
        };
        ApiKeyNotActiveProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "api_key_not_active";
        } & {
            [key: string]: unknown;
        });
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        AuditRecord: {
            id: string;
            /** @description The action, for example `api_key.revoked`. */
            action: string;
            /** @description The id of its target. */
            target: string | null;
            detail: {
                [key: string]: unknown;
            };
            operator: {
                id: string;
                name: string;
                email: string;
            } | null;
            /** @description The secret key that performed the action. */
            apiKey: {
                id: string;
                name: string;
                lastFour: string;
            } | null;
            /** @enum {string} */
            reason: "API_KEY" | "OPERATOR" | "CUSTOMER" | "SYSTEM";
            /**
             * @description null for an action on the organization as a whole.
             * @enum {string|null}
             */
            environment: "sandbox" | "production" | null;
            ip: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        AuditRecordPage: {
            data: components["schemas"]["AuditRecord"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        BeginSecondFactorRequest: {
            password: string;
        };
        BodyTooLargeProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "body_too_large";
        } & {
            [key: string]: unknown;
        });
        Capabilities: {
            cancel: components["schemas"]["Capability"];
            reactivate: components["schemas"]["Capability"];
            planChange: components["schemas"]["Capability"];
            seatChange: components["schemas"]["Capability"];
        };
        Capability: {
            /** @description Whether the provider supports it. */
            supported: boolean;
            /** @description Whether it can be done now. */
            available: boolean;
            /**
             * @description When it takes effect; `by_direction`: see `timings`.
             * @enum {string|null}
             */
            timing: "immediate" | "period_end" | "next_renewal" | "after_confirmation" | "by_direction" | null;
            timings?: {
                /** @enum {string} */
                increase: "immediate" | "next_renewal";
                /** @enum {string} */
                decrease: "immediate" | "next_renewal";
            };
            /** @description Why it is not available, as a sentence for customers. */
            reason: string | null;
            reasonCode: string | null;
        };
        CapabilityUnsupportedOrIdempotencyKeyReusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "capability_unsupported" | "idempotency_key_reused";
        } & {
            [key: string]: unknown;
        });
        ChangedPlan: {
            id: string;
            planGroupId: string;
            planGroup: {
                id: string;
                slug: string;
                name: string;
                /**
                 * Format: date-time
                 * @description The plans of an archived group take no new subscriptions.
                 */
                archivedAt: string | null;
            };
            slug: string;
            name: string;
            price: components["schemas"]["Money"];
            /** @enum {string} */
            interval: "month" | "year";
            /** @enum {string} */
            pricing: "flat" | "per_seat";
            trialDays: number;
            /**
             * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
             * @example null
             */
            entityLimit: number | null;
            /** @description Its entitlements, oldest first. */
            entitlements: components["schemas"]["PlanEntitlement"][];
            /** @description Where it can be sold. */
            providers: components["schemas"]["PlanProvider"][];
            /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            archivedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description If the price, interval, pricing or metadata was sent: the price here and at each connection that maps the plan. Empty if they could not be compared because the service was busy. */
            atProviders: components["schemas"]["PlanPriceAtProvider"][];
        };
        ChangedProviderConnection: {
            id: string;
            /** @enum {string} */
            provider: "provider_a" | "provider_b" | "provider_c";
            displayName: string;
            /** @enum {string} */
            apiMode: "sandbox" | "live";
            settings: {
                [key: string]: unknown;
            };
            /** @description `••••` and, of a secret with at least 12 characters, the last four; null where none is stored. */
            secrets: {
                [key: string]: string | null;
            };
            /** @description Raised each time the secrets are encrypted. */
            secretVersion: number;
            /**
             * Format: uri
             * @description The webhook URL to register at the provider.
             */
            webhookUrl: string;
            /** @description The return URL for customers who pay for a past-due subscription at the provider, for example in its billing portal. Replace `{subscriptionId}`. The subscription is then checked at the provider at once. */
            customerReturnUrl: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was last tested; real time.
             */
            testedAt: string | null;
            /** @description The checks that failed in that test. */
            failedChecks: string[];
            /** @description If settings or secrets were sent, or the connection was enabled: the price here and at the provider of each plan that it maps, the newest 100 at most. Empty if they could not be compared because the service was busy. */
            planPrices: components["schemas"]["PlanPriceAtProvider"][];
        };
        ChangeMemberRoleRequest: {
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
        };
        ChangePasswordRequest: {
            currentPassword: string;
            newPassword: string;
        };
        ChangePortalSettingsRequest: {
            /** @description What the page shows and offers besides the plan and its price. Whatever is not listed is neither offered nor accepted. */
            shows?: ("usage" | "transactions" | "payments" | "planChange" | "seatChange" | "cancel" | "reactivate" | "pay")[];
            /**
             * @description Slugs of the plans that a customer may change to; null: every plan of the group that is for sale.
             * @example null
             */
            plans?: string[] | null;
            /**
             * @description At the head of the page; null: the organization’s.
             * @example Acme
             */
            name?: string | null;
            /**
             * @description Color of buttons and links, adjusted where text would be hard to read.
             * @example #1d5fd1
             */
            colour?: string;
            /** @description A PNG, JPEG or WebP image of at most 32 KB as a `data:` URL; null: none. */
            logo?: string | null;
        };
        ChangePreview: {
            /** @enum {boolean} */
            dryRun: true;
            /**
             * @description `next_renewal`: it takes effect at the end of the period and can be withdrawn until then.
             * @enum {string}
             */
            effective: "immediate" | "period_end" | "next_renewal" | "after_confirmation";
            /** Format: date-time */
            effectiveAt: string;
            /** @enum {string} */
            direction: "upgrade" | "downgrade" | "seat_increase" | "seat_decrease";
            from: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
            };
            to: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
            };
            /** @description The unused value of the current terms. */
            credit: {
                amount: string;
                currency: string;
            };
            /** @description The remaining value of the target terms. */
            charge: {
                amount: string;
                currency: string;
            };
            /** @description `charge` less `credit`, before exclusive tax. */
            net: {
                amount: string;
                currency: string;
            };
            tax: components["schemas"]["Money"];
            /** @description The total of the transaction; 0 if the change does not take effect immediately. */
            dueNow: {
                amount: string;
                currency: string;
            };
            /** @description The features whose entitlement changes. */
            entitlements: {
                feature: string;
                from: {
                    /** @description Units per period with these seats, across all entities; null if unlimited, and for a boolean feature. */
                    quota: number | null;
                    /** @description Units per period for each entity; null if unlimited. */
                    entityQuota: number | null;
                    unlimited: boolean;
                    /** @enum {string} */
                    resetInterval: "billing_period" | "day" | "week" | "month" | "year" | "never";
                    /** @enum {string} */
                    enforcement: "hard" | "soft";
                    creditCost: number | null;
                    /** @description What happens to unused units; null: they lapse with their period. */
                    rollover: {
                        /** @description Number of later usage periods in which unused quota may be used. */
                        periods: number;
                        /**
                         * @description Whether it is used before or after the period’s own quota.
                         * @enum {string}
                         */
                        use: "first" | "last";
                        /** @description Maximum number of units carried over into one period; null: all. */
                        max: number | null;
                    } | null;
                } | null;
                to: {
                    /** @description Units per period with these seats, across all entities; null if unlimited, and for a boolean feature. */
                    quota: number | null;
                    /** @description Units per period for each entity; null if unlimited. */
                    entityQuota: number | null;
                    unlimited: boolean;
                    /** @enum {string} */
                    resetInterval: "billing_period" | "day" | "week" | "month" | "year" | "never";
                    /** @enum {string} */
                    enforcement: "hard" | "soft";
                    creditCost: number | null;
                    /** @description What happens to unused units; null: they lapse with their period. */
                    rollover: {
                        /** @description Number of later usage periods in which unused quota may be used. */
                        periods: number;
                        /**
                         * @description Whether it is used before or after the period’s own quota.
                         * @enum {string}
                         */
                        use: "first" | "last";
                        /** @description Maximum number of units carried over into one period; null: all. */
                        max: number | null;
                    } | null;
                } | null;
            }[];
            /** @description How many entities the plans allow; null: any number. Entities beyond a lower limit stay, and no new one is created. */
            entityLimit: {
                from: number | null;
                to: number | null;
            };
            /** @description Whether the change waits for the customer’s approval at the payment provider. Customers who pay by card may need no approval; only the change itself shows that. */
            requiresCustomerAction: boolean;
            /** @description Version of the proration policy; null without proration. */
            policyVersion: number | null;
            /** @description Whether a payment provider computes the final amounts. */
            estimated: boolean;
            /** @description The change that would no longer happen. If that is both a scheduled one and one that awaits an approval, it is the scheduled one; `steps` names both. */
            withdraws: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
            } | null;
            /** @description The steps of the change, in order, as sentences. */
            steps: string[];
        };
        ChangeSettingsRequest: {
            /** @example USD */
            defaultCurrency?: string;
            /**
             * @description IANA name. New subscriptions start in it and keep it; those that a payment provider bills are counted in UTC.
             * @example Europe/Berlin
             */
            timeZone?: string;
            /**
             * @description exclusive: tax is added to prices; inclusive: prices contain it; none: no tax.
             * @enum {string}
             */
            taxBehavior?: "none" | "exclusive" | "inclusive";
            taxRates?: {
                /** @example VAT */
                name: string;
                /**
                 * @description A fraction as text: "0.19" is 19 %.
                 * @example 0.19
                 */
                rate: string;
                /**
                 * @description The rate applies to customers of this country (`country` in their metadata). A rate without a country applies to customers whose country has no rate here, or is not known.
                 * @example DE
                 */
                country?: string;
            }[];
            invoiceProfile?: {
                legalName?: string;
                address?: string;
                taxId?: string;
                /** @example demo@tollgate.example */
                email?: string;
                footer?: string;
            };
            /** @enum {string} */
            defaultProvider?: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Days after which an unpaid transaction makes its subscription past due. */
            pastDueAfterDays?: number;
            /** @description Days for which a past-due subscription still grants access. */
            graceDays?: number;
            /** @description Days after which a past-due subscription expires; at least graceDays. */
            expireAfterDays?: number;
            /** @description Days that a customer has to approve a change, if the payment provider requires approval. */
            approvalDays?: number;
            /** @description Requests per second that each secret key may send, across all processes. */
            keyRequestsPerSecond?: number;
            /** @description Concurrent requests allowed for each secret key. */
            keyConcurrentRequests?: number;
            /** @description How many days back usage may be reported; 0: the 5 minutes by which clocks may differ. */
            usageReportedDays?: number;
            /** @description Minutes for which a usage period stays open after its end; usage reported later is late. */
            usageGraceMinutes?: number;
            /**
             * @description Percentages of a quota that trigger `USAGE_THRESHOLD_REACHED`, once per usage period, and again if the quota changes; above 100 for overage. Empty: none. Entitlements and customers may have their own.
             * @example [
             *       80,
             *       100
             *     ]
             */
            usageAlertPercents?: number[];
            /** @description `CREDITS_LOW` is sent when at most this percentage of the granted credits remains; once, until there is a new grant. null: never. */
            creditsLowPercent?: number | null;
            /**
             * @description Origins to which a checkout and the customer’s page may send the customer back. Empty: any in a sandbox, none in production.
             * @example [
             *       "https://app.example.com"
             *     ]
             */
            returnOrigins?: string[];
        };
        ChangeSubscriptionRequest: {
            planId?: string;
            /** @example pro */
            planSlug?: string;
            seats?: number;
            /** @description What the preview showed to the person who confirms the change: its `effective`, `effectiveAt`, `withdraws`, and the amount of its `dueNow`. The change is refused with `change_differs` if it would take effect at another time, cost more (by more than 3 minor units, which rounding may add), or replace a planned change that was not shown. */
            shown?: {
                /**
                 * @description `next_renewal`: it takes effect at the end of the period and can be withdrawn until then.
                 * @enum {string}
                 */
                effective: "immediate" | "period_end" | "next_renewal" | "after_confirmation";
                /** @example 1451 */
                dueNow: string;
                withdraws?: {
                    plan: {
                        id: string;
                        slug: string;
                    };
                    seats: number;
                } | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T00:00:00.000Z
                 */
                effectiveAt?: string;
            };
        };
        ChangeWebhookEndpointRequest: {
            /**
             * @description URL that messages are posted to: https, or http in a sandbox. Private, loopback and link-local addresses are refused.
             * @example https://app.example.com/webhooks/tollgate
             */
            url?: string;
            description?: string;
            /**
             * @description The message types sent to this endpoint; null for all, including types added by later versions.
             * @example [
             *       "subscription.created",
             *       "subscription.cancelled"
             *     ]
             */
            types?: ("subscription.created" | "subscription.changed" | "subscription.past_due" | "subscription.renewed" | "subscription.cancelled" | "subscription.expired" | "approval.needed" | "approval.given" | "approval.expired" | "drift.found" | "checkout.completed" | "checkout.expired" | "payment.succeeded" | "payment.pending" | "payment.failed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "refund.pending" | "refund.succeeded" | "refund.failed" | "usage.threshold_reached" | "credits.low" | "operation.concluded" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[] | null;
            /** @description `false` cancels pending deliveries. `true` delivers events from then on. */
            enabled?: boolean;
        };
        CheckCustomerUsageRequest: {
            /** @example ai_tokens */
            feature: string;
            /**
             * @description Units: above 0, at most 10^12, at most six decimals.
             * @example 500
             */
            quantity: number;
            /**
             * @description The customer’s user, project or similar that uses it. The first use creates it; a plan may limit the number of entities and the usage of each.
             * @example user_17
             */
            entity?: string;
        };
        Checkout: {
            id: string;
            /**
             * @description `subscription`: sells a plan; `payment`: collects a one-time amount.
             * @enum {string}
             */
            kind: "subscription" | "payment";
            /**
             * @description `complete`: paid, or nothing was due; `expired`: can no longer be paid.
             * @enum {string}
             */
            status: "open" | "complete" | "expired";
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Null in local billing. */
            connectionId: string | null;
            customerId: string;
            externalId: string;
            /** @description As offered; null for a one-time payment. */
            plan: {
                id: string;
                slug: string;
            } | null;
            /** @description As offered; null for a one-time payment. */
            seats: number | null;
            /** @description As offered; null for a one-time payment. */
            price: {
                amount: string;
                currency: string;
            } | null;
            /**
             * @description As offered; null for a one-time payment.
             * @enum {string|null}
             */
            interval: "month" | "year" | null;
            /**
             * @description As offered; null for a one-time payment.
             * @enum {string|null}
             */
            pricing: "flat" | "per_seat" | null;
            /** @description Of a plan with a trial; null otherwise. */
            trial: components["schemas"]["CheckoutTrial"] | null;
            /** @description The one-time amount; null when a plan is sold. */
            amount: {
                amount: string;
                currency: string;
            } | null;
            /** @description Description of the amount. */
            description: string | null;
            /** @description `incomplete` until the checkout is complete; null for a one-time payment. */
            subscriptionId: string | null;
            /** @description The transaction to be paid; null if the plan begins with a trial, for a one-time payment, and at a payment provider, which bills on its own. */
            transaction: components["schemas"]["Transaction"] | null;
            /** @description The amount still due, with tax; 0 before a trial. At a payment provider: the plan’s price, to which the provider may add tax. */
            amountDue: {
                amount: string;
                currency: string;
            };
            /** @description Payment page, while the checkout is open; null in local billing, where payments are recorded. */
            url: string | null;
            successUrl: string | null;
            cancelUrl: string | null;
            /** @description Why there is no payment page, why the payment could not be used, or why the payment provider cannot be asked about it. */
            failure: string | null;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was given up; it stays `open` until the payment provider has confirmed whether it was paid. Null in local billing, where it ends immediately.
             */
            givenUpAt: string | null;
            /** Format: date-time */
            completedAt: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The resources requested by `expand`. */
            expanded?: {
                customer?: components["schemas"]["Customer"];
                /** @description Omitted if the resource has no plan. */
                plan?: {
                    id: string;
                    planGroupId: string;
                    planGroup: {
                        id: string;
                        slug: string;
                        name: string;
                        /**
                         * Format: date-time
                         * @description The plans of an archived group take no new subscriptions.
                         */
                        archivedAt: string | null;
                    };
                    slug: string;
                    name: string;
                    price: components["schemas"]["Money"];
                    /** @enum {string} */
                    interval: "month" | "year";
                    /** @enum {string} */
                    pricing: "flat" | "per_seat";
                    trialDays: number;
                    /**
                     * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                     * @example null
                     */
                    entityLimit: number | null;
                    /** @description Its entitlements, oldest first. */
                    entitlements: components["schemas"]["PlanEntitlement"][];
                    /** @description Where it can be sold. */
                    providers: components["schemas"]["PlanProvider"][];
                    /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                    metadata: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    archivedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            };
        };
        CheckoutNotOpenOrIdempotencyKeyInUseProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "checkout_not_open" | "idempotency_key_in_use";
        } & {
            [key: string]: unknown;
        });
        CheckoutNotOpenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "checkout_not_open";
        } & {
            [key: string]: unknown;
        });
        CheckoutPage: {
            data: components["schemas"]["Checkout"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        CheckoutTrial: {
            days: number;
            /**
             * Format: date-time
             * @description Date of the first charge; while the checkout is open: if it is completed now.
             */
            endsAt: string;
            /** @description The amount charged then on the offered terms, with tax. At a payment provider: the plan’s price, to which the provider may add tax. */
            firstCharge: {
                amount: string;
                currency: string;
            };
        };
        ClockTooManyStepsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "clock_too_many_steps";
        } & {
            [key: string]: unknown;
        });
        ConfirmSecondFactorRequest: {
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        ConnectionDisabledOrWebhookNotReplayableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "connection_disabled" | "webhook_not_replayable";
        } & {
            [key: string]: unknown;
        });
        ConnectionDisabledProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "connection_disabled";
        } & {
            [key: string]: unknown;
        });
        ConnectionTest: {
            ok: boolean;
            checks: {
                /** @enum {string} */
                check: "authentication" | "permissions" | "webhook" | "plan_references" | "plan_prices" | "mode";
                ok: boolean;
                message: string;
            }[];
            /** @description The price here and at the provider of each plan that this connection sells, the newest 100 at most. */
            planPrices: components["schemas"]["PlanPriceAtProvider"][];
        };
        ContentTypeUnsupportedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "content_type_unsupported";
        } & {
            [key: string]: unknown;
        });
        CreateApiKeyRequest: {
            name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T00:00:00Z
             */
            expiresAt?: string;
            /**
             * @description The key’s scopes.
             * @example [
             *       "read",
             *       "usage",
             *       "subscriptions"
             *     ]
             */
            scopes?: ("read" | "usage" | "customers" | "subscriptions" | "billing" | "events" | "webhooks")[];
        };
        CreateCheckoutRequest: {
            customerId?: string;
            /** @example demo_acme */
            externalId?: string;
            planId?: string;
            /** @example pro */
            planSlug?: string;
            /** @description Seats of the plan; default: 1. */
            seats?: number;
            /** @description For a one-time payment instead of a plan. */
            amount?: {
                /**
                 * @description Minor units (cents for USD, yen for JPY), as text.
                 * @example 1451
                 */
                amount: string;
                /** @example USD */
                currency: string;
            };
            /** @description Description of the amount, shown to the customer; required with `amount`. */
            description?: string;
            /**
             * @description Billing provider; default: the setting `defaultProvider`.
             * @enum {string}
             */
            provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description The provider connection; required if the provider has several. */
            connectionId?: string;
            /**
             * Format: uri
             * @description Where the provider redirects the customer after payment: https, or in the sandbox http on loopback. Default: the connection’s setting `returnUrl`, or else a page of this service.
             */
            successUrl?: string;
            /**
             * Format: uri
             * @description The same for a customer who cancels.
             */
            cancelUrl?: string;
            /**
             * @description How long it can be paid; default: one day. A payment provider’s page may end earlier: at provider A after one day at the latest.
             * @default 1440
             */
            expiresInMinutes: number;
            /**
             * @description Of the subscription, or of the checkout if there is no subscription.
             * @default {}
             */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
        };
        CreateCustomerRequest: {
            /** @example demo_acme */
            externalId: string;
            name?: string | null;
            /** @example demo@tollgate.example */
            email?: string | null;
            /** @description Percentages of each of its quotas that trigger `USAGE_THRESHOLD_REACHED`; null: those of the entitlement or the workspace. */
            usageAlertPercents?: number[] | null;
            /** @description Labels of your own. Only `country` has a meaning: its two letters (ISO 3166-1) select the tax rates of the settings. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
        };
        CreatedApiKey: {
            id: string;
            name: string;
            /** @example svc_test_ */
            prefix: string;
            /** @description The key’s last four characters, to identify it. */
            lastFour: string;
            /** @description The key’s scopes. */
            scopes: ("read" | "usage" | "customers" | "subscriptions" | "billing" | "events" | "webhooks")[];
            createdBy: {
                id: string;
                name: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Accurate to a minute or two.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description The id of the key that this one replaces. */
            rolledFrom: string | null;
            /** @description The key itself. It is not stored and not shown again. */
            secret: string;
        };
        CreatedWebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            /** @description null for all. */
            types: string[] | null;
            enabled: boolean;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description `failing`: no attempt succeeded for a week. `gone`: the endpoint answered 410.
             * @enum {string|null}
             */
            disabledReason: "operator" | "failing" | "gone" | null;
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last successful one; null if the last attempt succeeded.
             */
            failingSince: string | null;
            secretLastFour: string;
            /**
             * Format: date-time
             * @description Until when messages are also signed with an earlier secret.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description Real time, like all times of an endpoint and its deliveries, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Verifies signatures (`whsec_…`). It is not shown again. */
            secret: string;
        };
        CreateEntitlementRequest: {
            /** @description Units per period, at most six decimals, or null for unlimited. Required for a metered feature; not for a boolean one. */
            quota?: number | null;
            /** @default false */
            perSeat: boolean;
            /**
             * @default billing_period
             * @enum {string}
             */
            resetInterval: "billing_period" | "day" | "week" | "month" | "year" | "never";
            /**
             * @default hard
             * @enum {string}
             */
            enforcement: "hard" | "soft";
            /**
             * @description At most six decimals.
             * @default null
             */
            creditCost: number | null;
            /**
             * @description Carries unused quota over to later usage periods; null: no rollover.
             * @default null
             */
            rollover: {
                /** @description Number of later usage periods in which unused quota may be used. */
                periods: number;
                /**
                 * @description Whether it is used before or after the period’s own quota.
                 * @default last
                 * @enum {string}
                 */
                use: "first" | "last";
                /**
                 * @description At most six decimals.
                 * @default null
                 */
                max: number | null;
            } | null;
            /**
             * @description Units per period for each of the customer’s entities. With a `quota`, it caps each entity’s share of it; without one, each entity has its own quota. Null: entities share the quota. At most six decimals.
             * @default null
             */
            entityQuota: number | null;
            /**
             * @description Percentages of the quota that trigger `USAGE_THRESHOLD_REACHED`; null: those of the workspace’s settings.
             * @default null
             */
            alertPercents: number[] | null;
            featureId?: string;
            /** @example ai_tokens */
            featureKey?: string;
        };
        CreateFeatureRequest: {
            /** @example ai_tokens */
            key: string;
            name: string;
            /** @enum {string} */
            kind: "metered" | "boolean";
            /** @description Display name of the unit: `token`, `GB`. */
            unit?: string | null;
            /**
             * @description Up to three properties of its usage events by which a series can be grouped. A dimension applies from when it is declared; earlier events have no value for it. Up to 1,000 values of each are distinguished.
             * @example [
             *       "model"
             *     ]
             */
            dimensions?: string[];
        };
        CreateOrganizationRequest: {
            name: string;
            /** @example pro */
            slug?: string;
        };
        CreatePlanGroupRequest: {
            /** @example pro */
            slug: string;
            name: string;
        };
        CreatePlanRequest: {
            planGroupId: string;
            /** @example pro */
            slug: string;
            name: string;
            price: {
                /**
                 * @description Minor units (cents for USD, yen for JPY), as text.
                 * @example 1451
                 */
                amount: string;
                /** @example USD */
                currency: string;
            };
            /** @enum {string} */
            interval: "month" | "year";
            /**
             * @default flat
             * @enum {string}
             */
            pricing: "flat" | "per_seat";
            /** @default 0 */
            trialDays: number;
            /**
             * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
             * @default null
             * @example null
             */
            entityLimit: number | null;
            /** @default {} */
            metadata: {
                providerAPriceId?: string;
                providerBPlanId?: string;
                providerCPlanCode?: string;
            } & {
                [key: string]: string | number | boolean | null;
            };
        };
        CreateProviderConnectionRequest: {
            /** @enum {string} */
            provider: "provider_a" | "provider_b" | "provider_c";
            displayName: string;
            /** @description Public settings, visible to everyone who may read the connection. A null member is removed. */
            settings?: {
                merchantId?: string | null;
                accountId?: string | null;
                /** @description Maps a plan’s id or slug to the provider’s reference. */
                planReferences?: {
                    [key: string]: string;
                } | null;
                planMappings?: {
                    [key: string]: string;
                } | null;
            } & {
                [key: string]: string | null;
            };
            /** @description provider_a: `secretKey` and `webhookSecret` (up to 10, joined by commas, while one replaces another); provider_b: `clientId`, `clientSecret`, `webhookId` and `webhookSecret`; provider_c: `secretKey`. A secret that is omitted or empty keeps its stored value. */
            secrets?: {
                [key: string]: string;
            };
        };
        CreateRefundRequest: {
            paymentId: string;
            /** @description Default: the rest of the payment. */
            amount?: {
                /**
                 * @description Minor units (cents for USD, yen for JPY), as text.
                 * @example 1451
                 */
                amount: string;
                /** @example USD */
                currency: string;
            };
            reason?: string;
        };
        CreateSettlementRequest: {
            /**
             * Format: date-time
             * @example 2026-01-31T00:00:00Z
             */
            periodStart: string;
            /**
             * Format: date-time
             * @description At most the workspace’s present time.
             * @example 2026-01-31T00:00:00Z
             */
            periodEnd: string;
            /**
             * @description Default: the workspace’s default currency.
             * @example USD
             */
            currency?: string;
        };
        CreateSubscriptionRequest: {
            customerId?: string;
            /** @example demo_acme */
            externalId?: string;
            planId?: string;
            /** @example pro */
            planSlug?: string;
            /** @default 1 */
            seats: number;
            /**
             * Format: date-time
             * @description Anchor of the billing periods: in the past, or at most one interval ahead; default: now. Ignored for a plan with a trial, whose billing begins at the trial’s end.
             * @example 2026-01-31T00:00:00Z
             */
            anchor?: string;
            /** @default {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
        };
        CreateWebhookEndpointRequest: {
            /**
             * @description URL that messages are posted to: https, or http in a sandbox. Private, loopback and link-local addresses are refused.
             * @example https://app.example.com/webhooks/tollgate
             */
            url: string;
            /** @default  */
            description: string;
            /**
             * @description The message types sent to this endpoint; null for all, including types added by later versions.
             * @default null
             * @example [
             *       "subscription.created",
             *       "subscription.cancelled"
             *     ]
             */
            types: ("subscription.created" | "subscription.changed" | "subscription.past_due" | "subscription.renewed" | "subscription.cancelled" | "subscription.expired" | "approval.needed" | "approval.given" | "approval.expired" | "drift.found" | "checkout.completed" | "checkout.expired" | "payment.succeeded" | "payment.pending" | "payment.failed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "refund.pending" | "refund.succeeded" | "refund.failed" | "usage.threshold_reached" | "credits.low" | "operation.concluded" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[] | null;
        };
        CredentialCorruptOrInternalErrorProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "credential_corrupt" | "internal_error";
        } & {
            [key: string]: unknown;
        });
        CredentialReport: {
            /** @description The sum of the next five. Remove a key only when another one is active and this is 0. */
            pending: number;
            /** @description Connections whose envelope is not under the active key. */
            oldKey: number;
            /** @description Connections without an envelope whose secrets are in public settings. */
            legacy: number;
            /** @description Connections with an envelope that also have secrets in public settings. */
            publicSecrets: number;
            /** @description Second factors of operators whose secret is not under the active key. */
            oldSecondFactors: number;
            /** @description Webhook endpoints with a secret that is not under the active key. */
            endpointSecrets: number;
            connections: number;
            secondFactors: number;
            /** @description The key that new secrets are encrypted with. */
            activeKeyId: string | null;
            keys: {
                id: string;
                active: boolean;
                envelopes: number;
                /** @description Whether every running process holds it with the same bytes. */
                heldByAll: boolean;
                /** @description Whether a running process has different bytes under this id than another process, or than those that sealed the stored secrets; it seals nothing with them. */
                mismatch: boolean;
            }[];
            runtimes: {
                id: string;
                process: string;
                keyIds: string[];
                /** Format: date-time */
                seenAt: string;
            }[];
            /** @description The latest run. */
            migration: {
                id: string;
                keyId: string;
                /** @enum {string} */
                status: "running" | "complete" | "failed";
                /** @description Connections and webhook endpoints changed. */
                migrated: number;
                /** @description Of those, connections whose public settings held a secret. */
                scrubbed: number;
                /** @description Those skipped because their envelope could not be opened. */
                skipped: number;
                /** Format: date-time */
                startedAt: string;
                /** Format: date-time */
                updatedAt: string;
            } | null;
        };
        CreditGrant: {
            id: string;
            customerId: string;
            amount: number;
            /** @description Unspent credits, whether or not the grant has expired. */
            remaining: number;
            reason: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            expired: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        CreditGrantPage: {
            data: components["schemas"]["CreditGrant"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
            /** @description Credits that can be spent now, across all grants. */
            balance: number;
        };
        Customer: {
            id: string;
            externalId: string;
            name: string | null;
            email: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Percentages of each of its quotas that trigger `USAGE_THRESHOLD_REACHED`; null: those of the entitlement or the workspace. */
            usageAlertPercents: number[] | null;
            /**
             * Format: date-time
             * @description The workspace’s time, like an event’s `recordedAt`: in a sandbox its clock may be ahead.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The workspace’s time.
             */
            updatedAt: string;
            /** @description For an erased customer: the erasure, whose progress `GET …/customer-erasures/{id}` returns. */
            erasureId: string | null;
        };
        CustomerEntitlement: {
            allowed: boolean;
            reason: {
                /** @enum {string} */
                code: "no_active_subscription" | "feature_not_in_plan" | "quota_exceeded" | "subscription_past_due" | "entity_limit_reached" | "entity_required";
                /** @description Safe to show to the customer. */
                message: string;
            } | null;
            /** @description Present if `reserve` was requested and granted; pass it to track. */
            reservationId?: string;
            /** Format: date-time */
            reservationExpiresAt?: string;
            /** @example ai_tokens */
            feature: string;
            /** @description If the request names an entity: its usage and its remaining units. If only entities have quotas, the other balances are the entity’s too. */
            entity?: {
                id: string;
                usage: number;
                /** @description Null if the entity has no quota of its own. */
                quota: number | null;
                remaining: number | null;
                reserved: number;
            };
            /** @description Units used in the usage period (of a track: that of its `timestamp`), across all subscriptions that grant the feature. */
            usage: number;
            /** @description Units per period; null if unlimited, and for a boolean feature. */
            quota: number | null;
            remaining: number | null;
            unlimited: boolean;
            /** @description Unused units carried over from earlier usage periods; included in `remaining`. */
            rollover: number;
            /** @description Units held by reservations; not included in `remaining` and `creditBalance`. */
            reserved: number;
            /** @enum {string|null} */
            enforcement: "hard" | "soft" | null;
            /** @description Credits of the customer that have not expired. */
            creditBalance: number;
            /** @description `quantity`: the part of this call not covered by quota and credits. */
            overage: {
                allowed: boolean;
                quantity: number;
            };
            /** @description The usage period; `end` is null if the quota never resets. */
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string | null;
            } | null;
            plan: {
                id: string;
                slug: string;
            } | null;
            subscriptionId: string | null;
            name: string;
            /** @enum {string} */
            kind: "metered" | "boolean";
        };
        CustomerEntitlementList: {
            data: components["schemas"]["CustomerEntitlement"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        CustomerEntity: {
            /**
             * @description The integrator’s own id.
             * @example user_17
             */
            entity: string;
            customerId: string;
            /**
             * Format: date-time
             * @description When it was first used or reserved for.
             */
            createdAt: string;
        };
        CustomerEntityPage: {
            data: components["schemas"]["CustomerEntity"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        CustomerErasedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "customer_erased";
        } & {
            [key: string]: unknown;
        });
        CustomerPage: {
            data: components["schemas"]["Customer"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        Decision: {
            /** @example dec_01jf2k7p3nfqvb9x4z6t8w2s5r */
            id: string;
            /** @enum {string} */
            operation: "check" | "track";
            allowed: boolean;
            /**
             * @description The rule that decided. Null in decisions of older versions, which did not record it; so are the other nullable members.
             * @enum {string|null}
             */
            rule: "included" | "unlimited" | "within_quota" | "rollover" | "credits" | "overage" | "no_active_subscription" | "feature_not_in_plan" | "quota_exceeded" | "subscription_past_due" | "entity_limit_reached" | "entity_required" | null;
            /** @description The decision as a sentence. */
            message: string;
            customerId: string;
            externalId: string;
            feature: string;
            quantity: number;
            /** @description Of a granted track after it, otherwise before. */
            usage: number;
            quota: number | null;
            remaining: number | null;
            unlimited: boolean | null;
            /** @enum {string|null} */
            enforcement: "hard" | "soft" | null;
            creditBalance: number | null;
            /** @description Units held by reservations. */
            reserved: number | null;
            /** @description Units carried over from earlier usage periods. */
            rollover: number | null;
            overage: number;
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string | null;
            } | null;
            plan: {
                id: string;
                slug: string;
            } | null;
            subscriptionId: string | null;
            requestId: string;
            /** @description The usage event recorded by a granted track. */
            usageEventId: string | null;
            /** @description Of a track. */
            idempotencyKey: string | null;
            /** @description The customer’s entity named in the request, and its usage. */
            entity: {
                id: string;
                usage: number;
                quota: number | null;
                remaining: number | null;
                reserved: number;
            } | null;
            /** @description The reservation made by the check, or confirmed by the track. */
            reservationId: string | null;
            /**
             * Format: date-time
             * @description When it was used, if the track states it.
             */
            timestamp: string | null;
            source: string;
            /** @description The developer event that holds the decision. */
            eventId: string;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The workspace’s time, which determines period and quota.
             */
            recordedAt: string;
        };
        DeveloperEvent: {
            /** @example evt_01k0g6v2p8f3ct4x7m9w5a1zqe */
            id: string;
            /** @enum {string} */
            type: "USAGE_CHECKED" | "USAGE_TRACKED" | "USAGE_REVERSED" | "ENTITLEMENT_DENIED" | "USAGE_THRESHOLD_REACHED" | "CREDITS_LOW" | "CHECKOUT_CREATED" | "SUBSCRIPTION_CREATED" | "SUBSCRIPTION_CHANGED" | "WEBHOOK_PROCESSED" | "PAYMENT_RECORDED" | "REFUND_RECORDED" | "SETTLEMENT_RECORDED" | "CREDENTIALS_CHANGED" | "PLAN_PRICE_COMPARED" | "WEBHOOK_ENDPOINT_DISABLED";
            /** @enum {string} */
            status: "OK" | "DENIED" | "PENDING" | "ERROR";
            /** @description What happened, as a sentence. */
            message: string;
            /** @description Origin: `api`, `console` or `portal`; of a track, its `source`; a provider; or a part of the service (`billing`, `webhooks`, `plan_prices`, `migration`). */
            source: string;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced. `from` and `to` compare it.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The workspace’s time, as used by customers, subscriptions and periods: `createdAt` plus the advance of the sandbox clock.
             */
            recordedAt: string;
            /** @description Details; the members depend on `type`. */
            data: {
                [key: string]: unknown;
            };
        };
        DeveloperEventPage: {
            data: components["schemas"]["DeveloperEvent"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        DisableSecondFactorRequest: {
            password: string;
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        DriftDifference: {
            /** @enum {string} */
            field: "existence" | "status" | "plan" | "seats" | "cancelAtPeriodEnd" | "cancelAt" | "currentPeriodEnd" | "payment" | "items" | "price" | "currency" | "interval" | "trialEnd" | "discount" | "pausedCollection";
            local: string | number | boolean;
            provider: string | number | boolean;
            /** @description The difference as a sentence. */
            words: string;
        };
        DriftNote: {
            /** @enum {string} */
            field: "existence" | "status" | "plan" | "seats" | "cancelAtPeriodEnd" | "cancelAt" | "currentPeriodEnd" | "payment" | "items" | "price" | "currency" | "interval" | "trialEnd" | "discount" | "pausedCollection";
            /** @enum {string} */
            code: "older_price";
            words: string;
        };
        DriftRepair: {
            subscription: components["schemas"]["Subscription"];
            /** @enum {string} */
            take: "provider" | "local";
            /** @description What the repair changed here. */
            changes: {
                field: string;
                from: string | number | boolean | null;
                to: string | number | boolean | null;
            }[];
            /** @description False with any difference; null if the comparison was incomplete. */
            inSync: boolean | null;
            differences: components["schemas"]["DriftDifference"][];
            /** @description Remarks that are not differences. `older_price`: the subscription keeps its earlier price at the provider. */
            notes: components["schemas"]["DriftNote"][];
            unverifiable: components["schemas"]["DriftUnverifiable"][];
        };
        DriftUnverifiable: {
            /** @enum {string} */
            field: "existence" | "status" | "plan" | "seats" | "cancelAtPeriodEnd" | "cancelAt" | "currentPeriodEnd" | "payment" | "items" | "price" | "currency" | "interval" | "trialEnd" | "discount" | "pausedCollection";
            /**
             * @description `not_exposed`: the provider does not report it (`inSync` is unaffected); `not_read`: the provider could not be read; `plan_unknown`: no plan here matches; `under_way`: it is about to change; `local`: no provider bills it.
             * @enum {string}
             */
            code: "not_exposed" | "not_read" | "plan_unknown" | "under_way" | "local";
            reason: string;
        };
        DueSubscription: {
            /**
             * Format: date-time
             * @description When its current period ends.
             */
            at: string;
            subscriptionId: string;
            customerId: string;
            externalId: string;
            plan: {
                id: string;
                slug: string;
                name: string;
            };
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            seats: number;
            /** @description What happens then if nothing is done or paid: a renewal, a scheduled change, the end of the trial, or its end. Empty if something else comes first. */
            steps: components["schemas"]["SubscriptionUpcomingStep"][];
        };
        DueSubscriptionPage: {
            data: components["schemas"]["DueSubscription"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        EndedPortalSessions: {
            /** @description Number of links and sessions that were open. */
            ended: number;
        };
        EndedRights: {
            /** @description Open invitations that no longer work because they were made with the higher role. */
            invitations: components["schemas"]["Invitation"][];
            /** @description How many sessions ended, in every organization. */
            sessions: number;
        };
        EnrolSecondFactorRequest: {
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        EntityRequiredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "entity_required";
        } & {
            [key: string]: unknown;
        });
        Erasure: {
            id: string;
            customerId: string;
            /**
             * @description `running`: the customer’s identity is already removed; records about the customer are still being blanked.
             * @enum {string}
             */
            status: "running" | "complete";
            /** @description The external id under which the customer’s money and usage are kept. */
            pseudonym: string;
            /**
             * Format: date-time
             * @description Real time, in a sandbox too.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description Real time, too.
             */
            completedAt: string | null;
            /** @description Number of rows blanked so far, by kind. */
            blanked: {
                [key: string]: number;
            };
            /** @description Where data of the customer remains: erase it there as well. */
            providersHoldingData: {
                connectionId: string;
                /** @enum {string} */
                provider: "provider_a" | "provider_b" | "provider_c";
                /** @description The provider’s ids of the customer and of their purchases. */
                references: {
                    kind: string;
                    reference: string;
                }[];
            }[];
        };
        Feature: {
            id: string;
            key: string;
            name: string;
            /** @enum {string} */
            kind: "metered" | "boolean";
            unit: string | null;
            /**
             * @description Up to three properties of its usage events by which a series can be grouped. A dimension applies from when it is declared; earlier events have no value for it. Up to 1,000 values of each are distinguished.
             * @example [
             *       "model"
             *     ]
             */
            dimensions: string[];
            /** Format: date-time */
            archivedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FeaturePage: {
            data: components["schemas"]["Feature"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        FinishLogInRequest: {
            token: string;
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        GrantCreditsRequest: {
            /** @description At most six decimals. */
            amount: number;
            reason?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T00:00:00Z
             */
            expiresAt?: string;
        };
        IdempotencyKeyInUseOrWebhookEndpointOffOrWebhookResendRunningProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "idempotency_key_in_use" | "webhook_endpoint_off" | "webhook_resend_running";
        } & {
            [key: string]: unknown;
        });
        IdempotencyKeyInUseOrWebhookEndpointOffProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "idempotency_key_in_use" | "webhook_endpoint_off";
        } & {
            [key: string]: unknown;
        });
        IdempotencyKeyReusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "idempotency_key_reused";
        } & {
            [key: string]: unknown;
        });
        InternalErrorProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "internal_error";
        } & {
            [key: string]: unknown;
        });
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
            /** @description The id of the operator who invites. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        InvitationInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "invitation_invalid";
        } & {
            [key: string]: unknown;
        });
        InvitationList: {
            data: components["schemas"]["Invitation"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        InvitationView: {
            organizationName: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
            /** Format: date-time */
            expiresAt: string;
            /** @description Accept with the password of the account, without a name. */
            hasAccount: boolean;
        };
        InviteMemberRequest: {
            /** @example demo@tollgate.example */
            email: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
        };
        KeySwitchRefusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "key_switch_refused";
        } & {
            [key: string]: unknown;
        });
        LastOwnerProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "last_owner";
        } & {
            [key: string]: unknown;
        });
        ListedOperation: {
            id: string;
            /** @enum {string} */
            kind: "cancel" | "reactivate" | "change" | "withdraw_scheduled_change" | "record_payment" | "refund" | "create_checkout" | "repair";
            subscriptionId: string | null;
            /** @description What it acts on: the subscription, a transaction, a payment, a customer. */
            targetId: string;
            /**
             * @description `pending` and `accepted` operations (answered 202) are still running; the same request with the same `Idempotency-Key` waits for the answer. `abandoned` operations (answered 503) changed nothing; the same request starts again.
             * @enum {string}
             */
            status: "pending" | "accepted" | "abandoned" | "succeeded" | "refused";
            /** @description Why it was refused. */
            problem: ({
                code: string;
                title: string;
                /** @description The status that the request would have been answered with. */
                status: number;
                detail: string;
                /** @description What can be done about it. */
                fix: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Real time, too.
             */
            finishedAt: string | null;
        };
        ListedOperationPage: {
            data: components["schemas"]["ListedOperation"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        LoginChallengeInvalidOrSecondFactorFailedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "login_challenge_invalid" | "second_factor_failed";
        } & {
            [key: string]: unknown;
        });
        LoginFailedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "login_failed";
        } & {
            [key: string]: unknown;
        });
        LogInRequest: {
            /** @example demo@tollgate.example */
            email: string;
            password: string;
        };
        LoginThrottledProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "login_throttled";
        } & {
            [key: string]: unknown;
        });
        LookAtInvitationRequest: {
            token: string;
        };
        LookAtResetLinkRequest: {
            token: string;
        };
        Member: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
            /** Format: date-time */
            joinedAt: string;
            /** @description Whether the account has a second factor. Null if you are not an admin. */
            hasSecondFactor: boolean | null;
        };
        MemberChange: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "viewer" | "developer" | "admin" | "owner";
            /** Format: date-time */
            joinedAt: string;
            /** @description Whether the account has a second factor. Null if you are not an admin. */
            hasSecondFactor: boolean | null;
            ended: components["schemas"]["EndedRights"];
            /** @description Keys, connections, webhook endpoints and members that this person created or invited. They keep working: decide about each. */
            review: components["schemas"]["AccessGrant"][];
        };
        MemberList: {
            data: components["schemas"]["Member"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        Money: {
            amount: string;
            currency: string;
        };
        NothingToRetryProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "nothing_to_retry";
        } & {
            [key: string]: unknown;
        });
        Operation: {
            id: string;
            /** @enum {string} */
            kind: "cancel" | "reactivate" | "change" | "withdraw_scheduled_change" | "record_payment" | "refund" | "create_checkout" | "repair";
            subscriptionId: string | null;
            /** @description What it acts on: the subscription, a transaction, a payment, a customer. */
            targetId: string;
            /**
             * @description `pending` and `accepted` operations (answered 202) are still running; the same request with the same `Idempotency-Key` waits for the answer. `abandoned` operations (answered 503) changed nothing; the same request starts again.
             * @enum {string}
             */
            status: "pending" | "accepted" | "abandoned" | "succeeded" | "refused";
            /** @description Why it was refused. */
            problem: ({
                code: string;
                title: string;
                /** @description The status that the request would have been answered with. */
                status: number;
                detail: string;
                /** @description What can be done about it. */
                fix: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The answer to the request, once it has succeeded. */
            answer: {
                status: number;
                body?: unknown;
            } | null;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Real time, too.
             */
            finishedAt: string | null;
        };
        Operator: {
            id: string;
            email: string;
            name: string;
            isPlatformAdministrator: boolean;
        };
        OperatorSession: {
            id: string;
            /** @description Whether it is the session of this request. */
            current: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Accurate to a minute.
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description It ends at this time, or after 12 hours without use.
             */
            expiresAt: string;
            userAgent: string | null;
            /** @description The IP address that it was opened from. */
            ip: string | null;
            /** @description The IP address that it was last used from, accurate to a minute. */
            lastIp: string | null;
            /**
             * Format: date-time
             * @description When the second factor was last confirmed in it.
             */
            secondFactorAt: string | null;
        };
        OperatorSessionList: {
            data: components["schemas"]["OperatorSession"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        Organization: {
            id: string;
            name: string;
            slug: string;
            /**
             * @description Your role in this organization.
             * @enum {string}
             */
            role: "viewer" | "developer" | "admin" | "owner";
            /** @description Whether members without a second factor can only set one up. */
            requireSecondFactor: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        OrganizationForbiddenOrApiKeyNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "api_key_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCheckoutNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "checkout_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrConnectionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "connection_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCustomerNotFoundOrCreditGrantNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "customer_not_found" | "credit_grant_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCustomerNotFoundOrEntityNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "customer_not_found" | "entity_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "customer_not_found" | "feature_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCustomerNotFoundOrPlanNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "customer_not_found" | "plan_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrCustomerNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "customer_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrDecisionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "decision_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrEntitlementNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "entitlement_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrErasureNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "erasure_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrFeatureNotFoundOrPlanNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "feature_not_found" | "plan_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrFeatureNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "feature_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrInvitationNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "invitation_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrOperationNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "operation_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrOperatorNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "operator_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrPaymentNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "payment_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrPlanGroupNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "plan_group_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrPlanNotFoundOrPlanGroupNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "plan_not_found" | "plan_group_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrPlanNotFoundOrSubscriptionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "plan_not_found" | "subscription_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrPlanNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "plan_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrRefundNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "refund_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrReservationNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "reservation_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrSettlementNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "settlement_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrSubscriptionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "subscription_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrTransactionNotFoundOrCheckoutNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "transaction_not_found" | "checkout_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrTransactionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "transaction_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrUsageEventNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "usage_event_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookDeliveryNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_delivery_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookEndpointNotFoundOrWebhookDeliveryNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_endpoint_not_found" | "webhook_delivery_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookEndpointNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_endpoint_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookMessageNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_message_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenOrWebhookResendNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden" | "webhook_resend_not_found";
        } & {
            [key: string]: unknown;
        });
        OrganizationForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "organization_forbidden";
        } & {
            [key: string]: unknown;
        });
        OrganizationList: {
            data: components["schemas"]["Organization"][];
            /** @enum {boolean} */
            hasMore: false;
        };
        OriginForbiddenOrPlatformAdministratorRequiredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "origin_forbidden" | "platform_administrator_required";
        } & {
            [key: string]: unknown;
        });
        OriginForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "origin_forbidden";
        } & {
            [key: string]: unknown;
        });
        Overview: {
            /** @description Counts; 100 means 100 or more. */
            attention: {
                /** @description Subscriptions that are past due. */
                pastDue: number;
                /** @description Changes waiting for the customer’s approval at the payment provider. */
                approvals: number;
                /**
                 * Format: date-time
                 * @description When the first of those approvals expires.
                 */
                nextApprovalExpiry: string | null;
                /** @description Subscriptions with a call to their provider whose outcome is not known. */
                providerCalls: number;
                /** @description Subscriptions whose change could not be prepared at provider A. */
                preparationsFailed: number;
                /** @description Subscriptions that differed from their provider when last compared. */
                drift: number;
                /** @description Commands without an outcome after a minute. */
                commandsOpen: number;
                /** @description Verified webhooks that could not be applied. */
                webhooksFailed: number;
                /** @description Refused or failed deliveries of the last 24 hours. */
                webhookFailures: number;
                /** @description Refunds waiting for their provider. */
                refundsPending: number;
                /** @description Connections with a plan whose price differs there. */
                planPrices: number;
                /** @description Connections whose last test failed. */
                connectionTests: number;
                /** @description Webhook endpoints that are failing, or were disabled because they failed. */
                webhookEndpoints: number;
                /** @description The id of one of those. */
                webhookEndpointId: string | null;
            };
            /** @description Of the whole installation. */
            processes: {
                /** @description Seen in the last 90 seconds. */
                apis: number;
                /** @description Seen in the last 90 seconds. */
                workers: number;
                /**
                 * @description `behind` when a job in the outbox has waited for a minute: no relay takes it.
                 * @enum {string}
                 */
                relay: "running" | "behind";
                /** @description Waiting jobs; 1,000 means 1,000 or more. */
                outbox: number;
                /**
                 * Format: date-time
                 * @description Since when the oldest of them has been waiting.
                 */
                outboxSince: string | null;
                /** @enum {string} */
                temporal: "reachable" | "unreachable" | "not_configured";
            };
        };
        Payment: {
            id: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description The provider connection it was made through; null in local billing. */
            connectionId: string | null;
            amount: components["schemas"]["Money"];
            /** @description What settled the transaction. */
            appliedAmount: {
                amount: string;
                currency: string;
            };
            /** @description The part that settles no transaction: what exceeds the amount due, and all of a payment of a one-time checkout or at a payment provider, which have none. */
            unappliedAmount: {
                amount: string;
                currency: string;
            };
            /** @description Refunds that succeeded or are pending. */
            refundedAmount: {
                amount: string;
                currency: string;
            };
            /** @description The amount that can still be refunded. */
            refundableAmount: {
                amount: string;
                currency: string;
            };
            transactionId: string | null;
            /** @description The one-time checkout that it was made through; null for all others, also a subscription’s first payment, which `subscriptionId` names. May be null until the checkout is complete. */
            checkoutId: string | null;
            subscriptionId: string | null;
            customerId: string;
            externalId: string;
            /** @description The provider’s id for it; in local billing, your reference, or null. */
            reference: string | null;
            /** @description All of the provider’s ids for it: an order and its capture are two. */
            references: {
                kind: string;
                reference: string;
            }[];
            /**
             * Format: date-time
             * @description When the money came in; for a payment that has not succeeded, when it was made. May be earlier than `createdAt`.
             */
            receivedAt: string;
            /** @description The settlement that counts it. */
            settlementId: string | null;
            /** @description The customer’s dispute with the bank or the provider; if there are several, an open one, or else the latest. */
            dispute: components["schemas"]["PaymentDispute"] | null;
            /**
             * Format: date-time
             * @description When it was recorded; lists are ordered by it, and `from` and `to` compare it.
             */
            createdAt: string;
            /** @description The resources requested by `expand`. */
            expanded?: {
                customer?: components["schemas"]["Customer"];
                /** @description Omitted if the resource has no plan. */
                plan?: {
                    id: string;
                    planGroupId: string;
                    planGroup: {
                        id: string;
                        slug: string;
                        name: string;
                        /**
                         * Format: date-time
                         * @description The plans of an archived group take no new subscriptions.
                         */
                        archivedAt: string | null;
                    };
                    slug: string;
                    name: string;
                    price: components["schemas"]["Money"];
                    /** @enum {string} */
                    interval: "month" | "year";
                    /** @enum {string} */
                    pricing: "flat" | "per_seat";
                    trialDays: number;
                    /**
                     * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                     * @example null
                     */
                    entityLimit: number | null;
                    /** @description Its entitlements, oldest first. */
                    entitlements: components["schemas"]["PlanEntitlement"][];
                    /** @description Where it can be sold. */
                    providers: components["schemas"]["PlanProvider"][];
                    /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                    metadata: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    archivedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            };
        };
        PaymentCurrencyDiffersOrCapabilityUnsupportedOrIdempotencyKeyReusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "payment_currency_differs" | "capability_unsupported" | "idempotency_key_reused";
        } & {
            [key: string]: unknown;
        });
        PaymentCurrencyDiffersOrIdempotencyKeyReusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "payment_currency_differs" | "idempotency_key_reused";
        } & {
            [key: string]: unknown;
        });
        PaymentDeclinedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "payment_declined";
        } & {
            [key: string]: unknown;
        });
        PaymentDispute: {
            id: string;
            /**
             * @description The amount taken by a `lost` dispute is listed among the refunds, with the kind `dispute`.
             * @enum {string}
             */
            status: "open" | "won" | "lost";
            amount: components["schemas"]["Money"];
            /** @description As stated by the provider. */
            reason: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            decidedAt: string | null;
        };
        PaymentPage: {
            data: components["schemas"]["Payment"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        PendingApproval: {
            plan: {
                id: string;
                slug: string;
            };
            seats: number;
            /** @description Where the customer approves, while approval is pending; null if the provider needs no approval. */
            approvalUrl: string | null;
            /** Format: date-time */
            requestedAt: string;
            /**
             * Format: date-time
             * @description When the change is dropped if it is not approved.
             */
            expiresAt: string;
        };
        Plan: {
            id: string;
            planGroupId: string;
            planGroup: {
                id: string;
                slug: string;
                name: string;
                /**
                 * Format: date-time
                 * @description The plans of an archived group take no new subscriptions.
                 */
                archivedAt: string | null;
            };
            slug: string;
            name: string;
            price: components["schemas"]["Money"];
            /** @enum {string} */
            interval: "month" | "year";
            /** @enum {string} */
            pricing: "flat" | "per_seat";
            trialDays: number;
            /**
             * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
             * @example null
             */
            entityLimit: number | null;
            /** @description Its entitlements, oldest first. */
            entitlements: components["schemas"]["PlanEntitlement"][];
            /** @description Where it can be sold. */
            providers: components["schemas"]["PlanProvider"][];
            /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            archivedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PlanEntitlement: {
            id: string;
            planId: string;
            feature: {
                id: string;
                key: string;
                name: string;
                /** @enum {string} */
                kind: "metered" | "boolean";
            };
            /** @description Units per period; null if `unlimited` is true, and for a boolean feature. */
            quota: number | null;
            unlimited: boolean;
            /** @description Whether the quota is multiplied by the seats. */
            perSeat: boolean;
            /** @enum {string} */
            resetInterval: "billing_period" | "day" | "week" | "month" | "year" | "never";
            /** @enum {string} */
            enforcement: "hard" | "soft";
            /** @description Credits charged for each unit beyond the quota; null: credits do not apply. */
            creditCost: number | null;
            rollover: {
                /** @description Number of later usage periods in which unused quota may be used. */
                periods: number;
                /**
                 * @description Whether it is used before or after the period’s own quota.
                 * @enum {string}
                 */
                use: "first" | "last";
                /** @description Maximum number of units carried over into one period; null: all. */
                max: number | null;
            } | null;
            /** @description Units per period for each of the customer’s entities. With a `quota`, it caps each entity’s share of it; without one, each entity has its own quota. Null: entities share the quota. */
            entityQuota: number | null;
            /** @description Percentages of the quota that trigger `USAGE_THRESHOLD_REACHED`; null: those of the workspace’s settings. */
            alertPercents: number[] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PlanEntitlementPage: {
            data: components["schemas"]["PlanEntitlement"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        PlanGroup: {
            id: string;
            slug: string;
            name: string;
            /** Format: date-time */
            archivedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PlanGroupPage: {
            data: components["schemas"]["PlanGroup"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        PlanInUseProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "plan_in_use";
        } & {
            [key: string]: unknown;
        });
        PlanPage: {
            data: components["schemas"]["Plan"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        PlanPriceAtProvider: {
            connectionId: string;
            plan: {
                id: string;
                slug: string;
            };
            /** @description The provider’s id of the price or plan. */
            planReference: string;
            /**
             * @description `differs`: the plan is not sold there until the prices match. `unverifiable`: the provider states too little to compare; nothing is blocked.
             * @enum {string}
             */
            result: "equal" | "differs" | "unverifiable";
            /** @description What differs. */
            fields: ("amount" | "currency" | "interval" | "pricing" | "trial" | "setupFee")[];
            local: components["schemas"]["PlanPriceSide"];
            provider: components["schemas"]["PlanPriceSide"] | null;
            /**
             * @description Whether the provider’s amount includes tax, if stated. It is not compared.
             * @enum {string|null}
             */
            taxBehavior: "inclusive" | "exclusive" | "unspecified" | null;
            /**
             * @description Why it is unverifiable.
             * @enum {string|null}
             */
            code: "not_read" | "not_stated" | "tiered" | "usage_based" | "quantity_transformed" | "amount_chosen_by_customer" | "several_billing_cycles" | null;
            /** @description What differs, or why it is unverifiable. */
            words: string | null;
        };
        /** @description A price; members that the provider does not state are null. */
        PlanPriceSide: {
            /** @description Minor units for one interval. A provider may have fractions of them: `150.5`. */
            amount: string | null;
            currency: string | null;
            /** @enum {string|null} */
            interval: "hour" | "day" | "week" | "month" | "year" | "once" | null;
            intervalCount: number | null;
            /** @enum {string|null} */
            pricing: "flat" | "per_seat" | null;
        };
        PlanProvider: {
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Null: local billing. */
            connectionId: string | null;
            /** @description Whether the plan has a reference there. */
            mapped: boolean;
            sellable: boolean;
            /**
             * @description Why it is not sellable. `plan_archived`: the plan or its group is archived. `plan_price_differs`: as of the last comparison; a checkout compares again.
             * @enum {string|null}
             */
            reason: "plan_archived" | "connection_disabled" | "trial_unsupported" | "plan_not_mapped" | "plan_price_differs" | null;
        };
        PlanTermsFixedOrPlanGroupArchivedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "plan_terms_fixed" | "plan_group_archived";
        } & {
            [key: string]: unknown;
        });
        PlatformAdministratorRequiredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "platform_administrator_required";
        } & {
            [key: string]: unknown;
        });
        PlatformAuditRecord: {
            id: string;
            /** @example operator.logged_in */
            action: string;
            operator: {
                id: string;
                name: string;
                email: string;
            } | null;
            /** @description The host that received the webhook. */
            host: string | null;
            /** @description The provider in the webhook’s path. */
            provider: string | null;
            detail: {
                [key: string]: unknown;
            };
            ip: string | null;
            /** @description Number of occurrences: above 1 if a flood was counted in one record. */
            count: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAt: string;
        };
        PlatformAuditRecordPage: {
            data: components["schemas"]["PlatformAuditRecord"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        PortalSettings: {
            /** @description What the page shows and offers besides the plan and its price. Whatever is not listed is neither offered nor accepted. */
            shows: ("usage" | "transactions" | "payments" | "planChange" | "seatChange" | "cancel" | "reactivate" | "pay")[];
            /**
             * @description Slugs of the plans that a customer may change to; null: every plan of the group that is for sale.
             * @example null
             */
            plans: string[] | null;
            /**
             * @description At the head of the page; null: the organization’s.
             * @example Acme
             */
            name: string | null;
            /**
             * @description Color of buttons and links, adjusted where text would be hard to read.
             * @example #1d5fd1
             */
            colour: string;
            /** @description A PNG, JPEG or WebP image of at most 32 KB as a `data:` URL; null: none. */
            logo: string | null;
        };
        Problem: {
            /**
             * Format: uri
             * @description Where the code is explained.
             */
            type: string;
            title: string;
            status: number;
            /** @description What went wrong with this request. */
            detail: string;
            /** @description Stable, for programs. */
            code: string;
            /** @description How to fix it. */
            fix: string;
            requestId: string;
            /** @description The invalid members; `pointer` is a JSON Pointer into the request. */
            errors?: {
                pointer: string;
                message: string;
                fix: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        Proration: {
            policyVersion: number;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            periodStart: string;
            /** Format: date-time */
            periodEnd: string;
            remainingMs: number;
            periodMs: number;
            current: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
                /** @enum {string} */
                pricing: "flat" | "per_seat";
                unitAmount: components["schemas"]["Money"];
                /** @description For the whole period. */
                fullAmount: {
                    amount: string;
                    currency: string;
                };
                /** @description For the rest of it. */
                amount: {
                    amount: string;
                    currency: string;
                };
            };
            target: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
                /** @enum {string} */
                pricing: "flat" | "per_seat";
                unitAmount: components["schemas"]["Money"];
                /** @description For the whole period. */
                fullAmount: {
                    amount: string;
                    currency: string;
                };
                /** @description For the rest of it. */
                amount: {
                    amount: string;
                    currency: string;
                };
            };
            /** @description `target.amount` less `current.amount`, before tax. */
            net: {
                amount: string;
                currency: string;
            };
        };
        ProviderConnection: {
            id: string;
            /** @enum {string} */
            provider: "provider_a" | "provider_b" | "provider_c";
            displayName: string;
            /** @enum {string} */
            apiMode: "sandbox" | "live";
            settings: {
                [key: string]: unknown;
            };
            /** @description `••••` and, of a secret with at least 12 characters, the last four; null where none is stored. */
            secrets: {
                [key: string]: string | null;
            };
            /** @description Raised each time the secrets are encrypted. */
            secretVersion: number;
            /**
             * Format: uri
             * @description The webhook URL to register at the provider.
             */
            webhookUrl: string;
            /** @description The return URL for customers who pay for a past-due subscription at the provider, for example in its billing portal. Replace `{subscriptionId}`. The subscription is then checked at the provider at once. */
            customerReturnUrl: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was last tested; real time.
             */
            testedAt: string | null;
            /** @description The checks that failed in that test. */
            failedChecks: string[];
        };
        ProviderConnectionPage: {
            data: components["schemas"]["ProviderConnection"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        RecordPaymentRequest: {
            transactionId?: string;
            /** @description A one-time checkout of local billing, instead of a transaction. */
            checkoutId?: string;
            /** @description In the currency of the transaction. */
            amount: {
                /**
                 * @description Minor units (cents for USD, yen for JPY), as text.
                 * @example 1451
                 */
                amount: string;
                /** @example USD */
                currency: string;
            };
            /** @description Your reference for the payment, such as the number of a bank transfer. */
            reference?: string;
            /**
             * Format: date-time
             * @description When the money was received, by the workspace’s time; default: now.
             * @example 2026-01-31T00:00:00Z
             */
            receivedAt?: string;
        };
        RecoveryCodes: {
            /** @description Each works once instead of a code. They are not shown again. */
            recoveryCodes: string[];
        };
        Refund: {
            id: string;
            paymentId: string;
            /**
             * @description `dispute`: the amount taken by a lost dispute of the payment.
             * @enum {string}
             */
            kind: "refund" | "dispute";
            subscriptionId: string | null;
            customerId: string;
            externalId: string;
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Of its payment; null in local billing. */
            connectionId: string | null;
            /** @description The provider’s id, once known. */
            reference: string | null;
            /**
             * @description A `pending` refund counts against its payment; a `failed` one no longer does.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            amount: components["schemas"]["Money"];
            reason: string | null;
            /** @description Why it failed; null otherwise. */
            failure: string | null;
            /** @description What a pending refund waits for, as a sentence. */
            waitingFor: string | null;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** @description The settlement that counts it. */
            settlementId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The resources requested by `expand`. */
            expanded?: {
                customer?: components["schemas"]["Customer"];
                /** @description Omitted if the resource has no plan. */
                plan?: {
                    id: string;
                    planGroupId: string;
                    planGroup: {
                        id: string;
                        slug: string;
                        name: string;
                        /**
                         * Format: date-time
                         * @description The plans of an archived group take no new subscriptions.
                         */
                        archivedAt: string | null;
                    };
                    slug: string;
                    name: string;
                    price: components["schemas"]["Money"];
                    /** @enum {string} */
                    interval: "month" | "year";
                    /** @enum {string} */
                    pricing: "flat" | "per_seat";
                    trialDays: number;
                    /**
                     * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                     * @example null
                     */
                    entityLimit: number | null;
                    /** @description Its entitlements, oldest first. */
                    entitlements: components["schemas"]["PlanEntitlement"][];
                    /** @description Where it can be sold. */
                    providers: components["schemas"]["PlanProvider"][];
                    /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                    metadata: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    archivedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            };
        };
        RefundPage: {
            data: components["schemas"]["Refund"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        RenameOrganizationRequest: {
            name: string;
        };
        RenewRecoveryCodesRequest: {
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        RepairSubscriptionDriftRequest: {
            /**
             * @description Which side is right: `provider` copies the provider’s state here; `local` writes the local state to the provider.
             * @enum {string}
             */
            take: "provider" | "local";
            /**
             * @description With `provider`: ends the subscription here if the provider does not have it. First check that the connection leads to the right account.
             * @default false
             */
            endMissing: boolean;
        };
        ReplaceEntitlementRequest: {
            /** @description Units per period, at most six decimals, or null for unlimited. Required for a metered feature; not for a boolean one. */
            quota?: number | null;
            /** @default false */
            perSeat: boolean;
            /**
             * @default billing_period
             * @enum {string}
             */
            resetInterval: "billing_period" | "day" | "week" | "month" | "year" | "never";
            /**
             * @default hard
             * @enum {string}
             */
            enforcement: "hard" | "soft";
            /**
             * @description At most six decimals.
             * @default null
             */
            creditCost: number | null;
            /**
             * @description Carries unused quota over to later usage periods; null: no rollover.
             * @default null
             */
            rollover: {
                /** @description Number of later usage periods in which unused quota may be used. */
                periods: number;
                /**
                 * @description Whether it is used before or after the period’s own quota.
                 * @default last
                 * @enum {string}
                 */
                use: "first" | "last";
                /**
                 * @description At most six decimals.
                 * @default null
                 */
                max: number | null;
            } | null;
            /**
             * @description Units per period for each of the customer’s entities. With a `quota`, it caps each entity’s share of it; without one, each entity has its own quota. Null: entities share the quota. At most six decimals.
             * @default null
             */
            entityQuota: number | null;
            /**
             * @description Percentages of the quota that trigger `USAGE_THRESHOLD_REACHED`; null: those of the workspace’s settings.
             * @default null
             */
            alertPercents: number[] | null;
        };
        ReplaceSettingsRequest: {
            /** @example USD */
            defaultCurrency: string;
            /**
             * @description IANA name. New subscriptions start in it and keep it; those that a payment provider bills are counted in UTC.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * @description exclusive: tax is added to prices; inclusive: prices contain it; none: no tax.
             * @enum {string}
             */
            taxBehavior: "none" | "exclusive" | "inclusive";
            taxRates: {
                /** @example VAT */
                name: string;
                /**
                 * @description A fraction as text: "0.19" is 19 %.
                 * @example 0.19
                 */
                rate: string;
                /**
                 * @description The rate applies to customers of this country (`country` in their metadata). A rate without a country applies to customers whose country has no rate here, or is not known.
                 * @example DE
                 */
                country?: string;
            }[];
            invoiceProfile: {
                legalName?: string;
                address?: string;
                taxId?: string;
                /** @example demo@tollgate.example */
                email?: string;
                footer?: string;
            };
            /** @enum {string} */
            defaultProvider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Days after which an unpaid transaction makes its subscription past due. */
            pastDueAfterDays: number;
            /** @description Days for which a past-due subscription still grants access. */
            graceDays: number;
            /** @description Days after which a past-due subscription expires; at least graceDays. */
            expireAfterDays: number;
            /**
             * @description Days that a customer has to approve a change, if the payment provider requires approval.
             * @default 3
             */
            approvalDays: number;
            /**
             * @description Requests per second that each secret key may send, across all processes.
             * @default 5000
             */
            keyRequestsPerSecond: number;
            /**
             * @description Concurrent requests allowed for each secret key.
             * @default 2000
             */
            keyConcurrentRequests: number;
            /**
             * @description How many days back usage may be reported; 0: the 5 minutes by which clocks may differ.
             * @default 35
             */
            usageReportedDays: number;
            /**
             * @description Minutes for which a usage period stays open after its end; usage reported later is late.
             * @default 60
             */
            usageGraceMinutes: number;
            /**
             * @description Percentages of a quota that trigger `USAGE_THRESHOLD_REACHED`, once per usage period, and again if the quota changes; above 100 for overage. Empty: none. Entitlements and customers may have their own.
             * @default [
             *       80,
             *       100
             *     ]
             * @example [
             *       80,
             *       100
             *     ]
             */
            usageAlertPercents: number[];
            /**
             * @description `CREDITS_LOW` is sent when at most this percentage of the granted credits remains; once, until there is a new grant. null: never.
             * @default 20
             */
            creditsLowPercent: number | null;
            /**
             * @description Origins to which a checkout and the customer’s page may send the customer back. Empty: any in a sandbox, none in production.
             * @default []
             * @example [
             *       "https://app.example.com"
             *     ]
             */
            returnOrigins: string[];
        };
        RequireSecondFactorRequest: {
            requireSecondFactor: boolean;
        };
        ResendWebhookMessagesRequest: {
            /**
             * Format: date-time
             * @description Messages created (`createdAt`) at this time or later, in real time also in a sandbox whose clock was advanced. They are kept for 30 days.
             * @example 2026-01-31T00:00:00Z
             */
            since: string;
            /**
             * @description Only messages that this endpoint has not received: failed, cancelled, waiting for a retry, or never sent to it.
             * @default false
             */
            undeliveredOnly: boolean;
        };
        ReservationEndedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "reservation_ended";
        } & {
            [key: string]: unknown;
        });
        ResetLink: {
            id: string;
            /** Format: uri */
            link: string;
            email: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ResetLinkInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "reset_link_invalid";
        } & {
            [key: string]: unknown;
        });
        ResetLinkOtherSessionProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "reset_link_other_session";
        } & {
            [key: string]: unknown;
        });
        ResetLinkRefusedOrOriginForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "reset_link_refused" | "origin_forbidden";
        } & {
            [key: string]: unknown;
        });
        ResetLinkView: {
            organizationName: string;
            email: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ResourceConflictOrFeatureArchivedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "resource_conflict" | "feature_archived";
        } & {
            [key: string]: unknown;
        });
        ResourceConflictOrPlanGroupArchivedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "resource_conflict" | "plan_group_archived";
        } & {
            [key: string]: unknown;
        });
        ResourceConflictProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "resource_conflict";
        } & {
            [key: string]: unknown;
        });
        ReverseUsageRequest: {
            /** @example The job failed after it was counted */
            reason: string;
            /**
             * @description Units to reverse, at most six decimals; default: all of the event’s units.
             * @example 2
             */
            quantity?: number;
        };
        RollApiKeyRequest: {
            /**
             * @description How long the old key keeps working; 0 ends it immediately.
             * @default 24
             * @example 24
             */
            overlapHours: number;
        };
        RollWebhookSecretRequest: {
            /**
             * @description How long messages are also signed with the old secret. Secrets rolled earlier keep signing until their own overlap ends, up to four in all; 0 ends all of them immediately.
             * @default 24
             * @example 24
             */
            overlapHours: number;
        };
        SandboxClock: {
            /**
             * Format: date-time
             * @description The sandbox’s time.
             */
            now: string;
            /** @description How far the clock is ahead of real time, in milliseconds. */
            offsetMs: number;
        };
        SandboxClockAdvance: {
            /**
             * Format: date-time
             * @description The sandbox’s time.
             */
            now: string;
            /** @description How far the clock is ahead of real time, in milliseconds. */
            offsetMs: number;
            /** @description The steps between the old and the new time, earliest first, assuming that nothing is paid; at most 1,000. */
            fired: {
                subscriptionId: string;
                /** Format: date-time */
                boundary: string;
                /** @enum {string} */
                what: "trial_end" | "period_end" | "past_due" | "expired" | "checkout_expired" | "renewal_prepared" | "approval_looked_for" | "provider_asked";
            }[];
            /** @description Whether there are more than listed. */
            firedMore: boolean;
            /** @description Subscriptions whose simulated provider renewed before it had received a scheduled change or a command without an outcome. Empty without simulators. */
            untold: string[];
        };
        SandboxOnlyOrClockNoBoundaryOrClockBackwardsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "sandbox_only" | "clock_no_boundary" | "clock_backwards";
        } & {
            [key: string]: unknown;
        });
        SandboxOnlyProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "sandbox_only";
        } & {
            [key: string]: unknown;
        });
        ScheduledChange: {
            plan: {
                id: string;
                slug: string;
            };
            seats: number;
            /**
             * Format: date-time
             * @description The end of the current period.
             */
            effectiveAt: string;
            /** Format: date-time */
            requestedAt: string;
        };
        SecondFactor: {
            /**
             * Format: date-time
             * @description Null where there is none.
             */
            enrolledAt: string | null;
            /**
             * Format: date-time
             * @description When it was last confirmed in this session.
             */
            confirmedAt: string | null;
            recoveryCodesLeft: number;
        };
        SecondFactorAwaited: {
            secondFactor: {
                /** @description For POST /api/auth/login/second-factor. */
                token: string;
                /** Format: date-time */
                expiresAt: string;
            };
        };
        SecondFactorEnrolment: {
            /** @description In base 32, for manual entry. */
            secret: string;
            /** @description The same as an otpauth URI, for a QR code. */
            uri: string;
        };
        SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_enrolment_required" | "origin_forbidden" | "role_forbidden";
        } & {
            [key: string]: unknown;
        });
        SecondFactorEnrolmentRequiredOrRoleForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_enrolment_required" | "role_forbidden";
        } & {
            [key: string]: unknown;
        });
        SecondFactorEnrolmentRequiredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_enrolment_required";
        } & {
            [key: string]: unknown;
        });
        SecondFactorExistsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_exists";
        } & {
            [key: string]: unknown;
        });
        SecondFactorNotEnrolledOrSecondFactorExistsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_not_enrolled" | "second_factor_exists";
        } & {
            [key: string]: unknown;
        });
        SecondFactorNotEnrolledProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_not_enrolled";
        } & {
            [key: string]: unknown;
        });
        SecondFactorRequiredOrOriginForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_required" | "origin_forbidden";
        } & {
            [key: string]: unknown;
        });
        SecondFactorWantedOrOriginForbiddenOrRoleForbiddenProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "second_factor_required" | "second_factor_enrolment_required" | "origin_forbidden" | "role_forbidden";
        } & {
            [key: string]: unknown;
        });
        SecretWrongEnvironmentProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "secret_wrong_environment";
        } & {
            [key: string]: unknown;
        });
        SeriesTooLongOrDimensionNotDeclaredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "series_too_long" | "dimension_not_declared";
        } & {
            [key: string]: unknown;
        });
        ServiceBusyOrServiceUnavailableOrKeyUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_busy" | "service_unavailable" | "key_unavailable";
        } & {
            [key: string]: unknown;
        });
        ServiceBusyOrServiceUnavailableOrTemporalUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_busy" | "service_unavailable" | "temporal_unavailable";
        } & {
            [key: string]: unknown;
        });
        ServiceBusyOrServiceUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_busy" | "service_unavailable";
        } & {
            [key: string]: unknown;
        });
        ServiceUnavailableOrKeyUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_unavailable" | "key_unavailable";
        } & {
            [key: string]: unknown;
        });
        ServiceUnavailableOrTemporalUnavailableOrKeyUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_unavailable" | "temporal_unavailable" | "key_unavailable";
        } & {
            [key: string]: unknown;
        });
        ServiceUnavailableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "service_unavailable";
        } & {
            [key: string]: unknown;
        });
        SessionNotFoundProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "session_not_found";
        } & {
            [key: string]: unknown;
        });
        SessionOverview: {
            operator: components["schemas"]["Operator"];
            organizations: components["schemas"]["Organization"][];
            session: {
                id: string;
            };
            secondFactor: {
                enrolled: boolean;
                /**
                 * Format: date-time
                 * @description When it was last confirmed in this session.
                 */
                confirmedAt: string | null;
            };
        };
        SessionRequiredOrPasswordWrongOrSecondFactorFailedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "session_required" | "password_wrong" | "second_factor_failed";
        } & {
            [key: string]: unknown;
        });
        SessionRequiredOrPasswordWrongProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "session_required" | "password_wrong";
        } & {
            [key: string]: unknown;
        });
        SessionRequiredOrSecondFactorFailedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "session_required" | "second_factor_failed";
        } & {
            [key: string]: unknown;
        });
        SessionRequiredProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "session_required";
        } & {
            [key: string]: unknown;
        });
        Settlement: {
            id: string;
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /**
             * @description `failed`: the provider’s payout was returned, and its lines wait for the next one.
             * @enum {string}
             */
            status: "settled" | "failed";
            /** @description The provider connection; null in local billing. */
            connectionId: string | null;
            /** @description The provider’s id of it. */
            reference: string | null;
            currency: string;
            /** Format: date-time */
            periodStart: string;
            /**
             * Format: date-time
             * @description Exclusive: a payment at this instant belongs to the next period.
             */
            periodEnd: string;
            paid: components["schemas"]["Money"];
            /** @description Net of returned refunds, so it may be negative. */
            refunded: {
                amount: string;
                currency: string;
            };
            fees: components["schemas"]["Money"];
            /** @description The payout: `paid` minus `refunded` and `fees`, plus `unmatchedAmount`; may be negative. */
            net: {
                amount: string;
                currency: string;
            };
            /** @description The part of the provider’s `net` that no payment, refund or fee here explains; may be negative. */
            unmatchedAmount: {
                amount: string;
                currency: string;
            };
            /** @description Description of the unexplained part. */
            difference: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        SettlementCollection: {
            data: {
                connectionId: string;
                /** @enum {string|null} */
                provider: "provider_a" | "provider_b" | "provider_c" | null;
                /**
                 * @description `unsupported`: the provider has no list of settlements and reports each by webhook.
                 * @enum {string}
                 */
                status: "collected" | "unsupported" | "failed";
                /** @description New settlements. */
                recorded: number;
                /** @description Known settlements, updated to the provider’s state. */
                changed: number;
                /** @description Payments, refunds and disputes recorded that no webhook had reported. */
                imported: number;
                /** @description Lines that belong to no known customer; they remain in their settlement’s difference. */
                unattributed: number;
                /** @description Why not, as a sentence; for `collected`, why some of the payments or the disputes could not be read. */
                reason: string | null;
            }[];
        };
        SettlementOverlapsOrSettlementEmptyOrIdempotencyKeyInUseProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "settlement_overlaps" | "settlement_empty" | "idempotency_key_in_use";
        } & {
            [key: string]: unknown;
        });
        SettlementPage: {
            data: components["schemas"]["Settlement"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        SettlementTooLargeOrIdempotencyKeyReusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "settlement_too_large" | "idempotency_key_reused";
        } & {
            [key: string]: unknown;
        });
        SettlementWithLines: {
            id: string;
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /**
             * @description `failed`: the provider’s payout was returned, and its lines wait for the next one.
             * @enum {string}
             */
            status: "settled" | "failed";
            /** @description The provider connection; null in local billing. */
            connectionId: string | null;
            /** @description The provider’s id of it. */
            reference: string | null;
            currency: string;
            /** Format: date-time */
            periodStart: string;
            /**
             * Format: date-time
             * @description Exclusive: a payment at this instant belongs to the next period.
             */
            periodEnd: string;
            paid: components["schemas"]["Money"];
            /** @description Net of returned refunds, so it may be negative. */
            refunded: {
                amount: string;
                currency: string;
            };
            fees: components["schemas"]["Money"];
            /** @description The payout: `paid` minus `refunded` and `fees`, plus `unmatchedAmount`; may be negative. */
            net: {
                amount: string;
                currency: string;
            };
            /** @description The part of the provider’s `net` that no payment, refund or fee here explains; may be negative. */
            unmatchedAmount: {
                amount: string;
                currency: string;
            };
            /** @description Description of the unexplained part. */
            difference: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Earliest first; at most 1,000. */
            lines: {
                /**
                 * @description `returned_refund`: it failed, or the dispute was won, and its money was returned.
                 * @enum {string}
                 */
                kind: "payment" | "refund" | "returned_refund";
                id: string;
                amount: components["schemas"]["Money"];
                /**
                 * Format: date-time
                 * @description When the payment was received, or the refund completed.
                 */
                at: string;
            }[];
            /** @description Lines of the provider that match nothing here; at most 1,000. */
            unmatchedLines: {
                /** @description Kind of the provider’s reference: `charge` (A), `capture` (B), `payment` (B and C), `refund`, `dispute` (A) or `other`. */
                kind: string;
                reference: string;
                /** @description Before the fee; negative if money was returned. */
                amount: {
                    amount: string;
                    currency: string;
                };
                fee: components["schemas"]["Money"];
            }[];
            /** @description Whether either list is incomplete; the lists of payments and refunds filter by `settlementId`. */
            linesMore: boolean;
        };
        Subscription: {
            id: string;
            customerId: string;
            externalId: string;
            plan: {
                id: string;
                slug: string;
                name: string;
            };
            planGroupId: string;
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @enum {string} */
            status: "incomplete" | "trialing" | "active" | "past_due" | "cancelled" | "expired";
            seats: number;
            price: components["schemas"]["Money"];
            currency: string;
            /** @enum {string} */
            interval: "month" | "year";
            /** @enum {string} */
            pricing: "flat" | "per_seat";
            /** Format: date-time */
            billingAnchor: string;
            timeZone: string;
            /** Format: date-time */
            currentPeriodStart: string;
            /** Format: date-time */
            currentPeriodEnd: string;
            /** Format: date-time */
            trialEnd: string | null;
            /** @description Whether no period follows the current one. */
            cancelAtPeriodEnd: boolean;
            /**
             * Format: date-time
             * @description When it ends: with its period, at a time within it, or (if set at the payment provider) after further periods. Null while it renews.
             */
            cancelAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            /** Format: date-time */
            pastDueSince: string | null;
            /**
             * Format: date-time
             * @description When the earliest unpaid transaction makes it past due.
             */
            paymentDueAt: string | null;
            /**
             * Format: date-time
             * @description When an unpaid checkout expires.
             */
            incompleteUntil: string | null;
            scheduledChange: components["schemas"]["ScheduledChange"] | null;
            pendingApproval: components["schemas"]["PendingApproval"] | null;
            /** @description The tax of the current period. */
            tax: {
                /** @enum {string} */
                behavior: "none" | "exclusive" | "inclusive";
                rates: {
                    name: string;
                    /** @description A fraction as decimal text: "0.19" is 19 %. */
                    rate: string;
                }[];
            };
            capabilities: components["schemas"]["Capabilities"];
            waitingCommands: components["schemas"]["WaitingCommands"];
            metadata: {
                [key: string]: unknown;
            };
            /** @description The next step, as a sentence. */
            waitingFor: string | null;
            /** @description The provider connection that bills it. */
            connectionId: string | null;
            /** @description The payment provider’s id of the subscription. */
            providerReference: string | null;
            version: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The resources requested by `expand`. */
            expanded?: {
                customer?: components["schemas"]["Customer"];
                /** @description Omitted if the resource has no plan. */
                plan?: {
                    id: string;
                    planGroupId: string;
                    planGroup: {
                        id: string;
                        slug: string;
                        name: string;
                        /**
                         * Format: date-time
                         * @description The plans of an archived group take no new subscriptions.
                         */
                        archivedAt: string | null;
                    };
                    slug: string;
                    name: string;
                    price: components["schemas"]["Money"];
                    /** @enum {string} */
                    interval: "month" | "year";
                    /** @enum {string} */
                    pricing: "flat" | "per_seat";
                    trialDays: number;
                    /**
                     * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                     * @example null
                     */
                    entityLimit: number | null;
                    /** @description Its entitlements, oldest first. */
                    entitlements: components["schemas"]["PlanEntitlement"][];
                    /** @description Where it can be sold. */
                    providers: components["schemas"]["PlanProvider"][];
                    /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                    metadata: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    archivedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            };
        };
        SubscriptionChange: {
            subscription: components["schemas"]["Subscription"];
            /**
             * @description `next_renewal`: it takes effect at the end of the period and can be withdrawn until then.
             * @enum {string}
             */
            effective: "immediate" | "period_end" | "next_renewal" | "after_confirmation";
            /** Format: date-time */
            effectiveAt: string;
            /** @description What an immediate change costs, in local billing. */
            transaction?: {
                id: string;
                subscriptionId: string;
                customerId: string;
                /** @enum {string} */
                kind: "initial" | "renewal" | "proration";
                /** @enum {string} */
                status: "pending" | "partially_paid" | "paid" | "void";
                currency: string;
                /** @description The sum of the lines. */
                subtotal: {
                    amount: string;
                    currency: string;
                };
                /** @description Added to the subtotal if the tax is `exclusive`, contained in it if `inclusive`. */
                taxAmount: {
                    amount: string;
                    currency: string;
                };
                total: components["schemas"]["Money"];
                amountPaid: components["schemas"]["Money"];
                /** @description The amount still due; 0 once it is void. A refund does not raise it. */
                amountOpen: {
                    amount: string;
                    currency: string;
                };
                tax: components["schemas"]["TaxSnapshot"];
                lines: {
                    description: string;
                    quantity: number;
                    /** @description Null if the amount is not a multiple of a price. */
                    unitAmount: {
                        amount: string;
                        currency: string;
                    } | null;
                    /** @description Negative for a credit. */
                    amount: {
                        amount: string;
                        currency: string;
                    };
                }[];
                /** @description How the net amount of a change was calculated. */
                proration: components["schemas"]["Proration"] | null;
                /** Format: date-time */
                periodStart: string;
                /** Format: date-time */
                periodEnd: string;
                /**
                 * Format: date-time
                 * @description If still unpaid at this time, the subscription becomes past due.
                 */
                dueAt: string;
                /** Format: date-time */
                paidAt: string | null;
                /** Format: date-time */
                voidedAt: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description The resources requested by `expand`. */
                expanded?: {
                    customer?: components["schemas"]["Customer"];
                    /** @description Omitted if the resource has no plan. */
                    plan?: {
                        id: string;
                        planGroupId: string;
                        planGroup: {
                            id: string;
                            slug: string;
                            name: string;
                            /**
                             * Format: date-time
                             * @description The plans of an archived group take no new subscriptions.
                             */
                            archivedAt: string | null;
                        };
                        slug: string;
                        name: string;
                        price: components["schemas"]["Money"];
                        /** @enum {string} */
                        interval: "month" | "year";
                        /** @enum {string} */
                        pricing: "flat" | "per_seat";
                        trialDays: number;
                        /**
                         * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                         * @example null
                         */
                        entityLimit: number | null;
                        /** @description Its entitlements, oldest first. */
                        entitlements: components["schemas"]["PlanEntitlement"][];
                        /** @description Where it can be sold. */
                        providers: components["schemas"]["PlanProvider"][];
                        /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                        metadata: {
                            [key: string]: unknown;
                        };
                        /** Format: date-time */
                        archivedAt: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
            /** @description The change that this withdraws. If that is both a scheduled one and one that awaits an approval, it is the scheduled one; each has its own `subscription.changed`. */
            withdrawn?: {
                plan: {
                    id: string;
                    slug: string;
                };
                seats: number;
            };
            requiresCustomerAction: boolean;
            /** @description Where the customer approves the change; also in the subscription’s `pendingApproval`. */
            approvalUrl?: string;
        };
        SubscriptionDrift: {
            subscriptionId: string;
            /** @enum {string} */
            provider: "internal" | "provider_a" | "provider_b" | "provider_c";
            connectionId: string | null;
            providerReference: string | null;
            /** Format: date-time */
            checkedAt: string;
            /** @description False with any difference; null if the comparison was incomplete. */
            inSync: boolean | null;
            differences: components["schemas"]["DriftDifference"][];
            /** @description Remarks that are not differences. `older_price`: the subscription keeps its earlier price at the provider. */
            notes: components["schemas"]["DriftNote"][];
            unverifiable: components["schemas"]["DriftUnverifiable"][];
            /** @description The provider’s state; null where it could not be read. */
            atProvider: {
                /** @enum {string} */
                status: "incomplete" | "trialing" | "active" | "past_due" | "cancelled" | "expired";
                /** @description The provider’s id of the plan. */
                planReference: string | null;
                /** @description The plan here that has this id, or had it when the customer subscribed. */
                plan: {
                    id: string;
                    slug: string;
                } | null;
                seats: number | null;
                cancelAtPeriodEnd: boolean;
                /**
                 * Format: date-time
                 * @description When it ends at the provider without further action; null if it renews.
                 */
                cancelAt: string | null;
                /** Format: date-time */
                currentPeriodStart: string | null;
                /** Format: date-time */
                currentPeriodEnd: string | null;
            } | null;
        };
        SubscriptionDriftPage: {
            data: components["schemas"]["SubscriptionDrift"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        SubscriptionPage: {
            data: components["schemas"]["Subscription"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        SubscriptionTimeline: {
            data: components["schemas"]["SubscriptionTimelineEntry"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
            /** @description At most the next 12 steps, earliest first, assuming that nothing is done or paid. A payment provider’s renewals are estimates from our calendar and today’s prices. */
            upcoming: components["schemas"]["SubscriptionUpcomingStep"][];
        };
        SubscriptionTimelineEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description In the past tense.
             * @example period_turned
             */
            kind: string;
            message: string;
            /** @description Members depend on `kind`. */
            data: {
                [key: string]: unknown;
            };
        };
        SubscriptionUpcomingStep: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "end_trial" | "scheduled_change" | "turn_period" | "become_past_due" | "expire" | "expire_checkout" | "settle_call" | "read_back" | "prepare_change" | "check_approval" | "read_past_due";
            message: string;
            /** @description The expected charge at today’s prices and taxes; null for no charge. */
            estimate: {
                amount: string;
                currency: string;
            } | null;
        };
        SwitchCredentialKeyRequest: {
            keyId: string;
        };
        TaxSnapshot: {
            /** @enum {string} */
            behavior: "none" | "exclusive" | "inclusive";
            rates: {
                name: string;
                /** @description A fraction as decimal text: "0.19" is 19 %. */
                rate: string;
            }[];
        };
        TooManyCreditGrantsOrCustomerErasedOrIdempotencyKeyInUseProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "too_many_credit_grants" | "customer_erased" | "idempotency_key_in_use";
        } & {
            [key: string]: unknown;
        });
        TooManyExportsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "too_many_exports";
        } & {
            [key: string]: unknown;
        });
        TooManyStreamsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "too_many_streams";
        } & {
            [key: string]: unknown;
        });
        TooManyWebhookEndpointsProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "too_many_webhook_endpoints";
        } & {
            [key: string]: unknown;
        });
        Transaction: {
            id: string;
            subscriptionId: string;
            customerId: string;
            /** @enum {string} */
            kind: "initial" | "renewal" | "proration";
            /** @enum {string} */
            status: "pending" | "partially_paid" | "paid" | "void";
            currency: string;
            /** @description The sum of the lines. */
            subtotal: {
                amount: string;
                currency: string;
            };
            /** @description Added to the subtotal if the tax is `exclusive`, contained in it if `inclusive`. */
            taxAmount: {
                amount: string;
                currency: string;
            };
            total: components["schemas"]["Money"];
            amountPaid: components["schemas"]["Money"];
            /** @description The amount still due; 0 once it is void. A refund does not raise it. */
            amountOpen: {
                amount: string;
                currency: string;
            };
            tax: components["schemas"]["TaxSnapshot"];
            lines: {
                description: string;
                quantity: number;
                /** @description Null if the amount is not a multiple of a price. */
                unitAmount: {
                    amount: string;
                    currency: string;
                } | null;
                /** @description Negative for a credit. */
                amount: {
                    amount: string;
                    currency: string;
                };
            }[];
            /** @description How the net amount of a change was calculated. */
            proration: components["schemas"]["Proration"] | null;
            /** Format: date-time */
            periodStart: string;
            /** Format: date-time */
            periodEnd: string;
            /**
             * Format: date-time
             * @description If still unpaid at this time, the subscription becomes past due.
             */
            dueAt: string;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            voidedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The resources requested by `expand`. */
            expanded?: {
                customer?: components["schemas"]["Customer"];
                /** @description Omitted if the resource has no plan. */
                plan?: {
                    id: string;
                    planGroupId: string;
                    planGroup: {
                        id: string;
                        slug: string;
                        name: string;
                        /**
                         * Format: date-time
                         * @description The plans of an archived group take no new subscriptions.
                         */
                        archivedAt: string | null;
                    };
                    slug: string;
                    name: string;
                    price: components["schemas"]["Money"];
                    /** @enum {string} */
                    interval: "month" | "year";
                    /** @enum {string} */
                    pricing: "flat" | "per_seat";
                    trialDays: number;
                    /**
                     * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
                     * @example null
                     */
                    entityLimit: number | null;
                    /** @description Its entitlements, oldest first. */
                    entitlements: components["schemas"]["PlanEntitlement"][];
                    /** @description Where it can be sold. */
                    providers: components["schemas"]["PlanProvider"][];
                    /** @description `providerAPriceId`, `providerBPlanId`, `providerCPlanCode`, and labels of your own. */
                    metadata: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    archivedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            };
        };
        TransactionPage: {
            data: components["schemas"]["Transaction"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        UpdateCustomerRequest: {
            name?: string | null;
            /** @example demo@tollgate.example */
            email?: string | null;
            /** @description Percentages of each of its quotas that trigger `USAGE_THRESHOLD_REACHED`; null: those of the entitlement or the workspace. */
            usageAlertPercents?: number[] | null;
            /** @description Labels of your own. Only `country` has a meaning: its two letters (ISO 3166-1) select the tax rates of the settings. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
        };
        UpdateEntitlementRequest: {
            /** @description Units per period, at most six decimals, or null for unlimited. Required for a metered feature; not for a boolean one. */
            quota?: number | null;
            perSeat?: boolean;
            /** @enum {string} */
            resetInterval?: "billing_period" | "day" | "week" | "month" | "year" | "never";
            /** @enum {string} */
            enforcement?: "hard" | "soft";
            /** @description At most six decimals. */
            creditCost?: number | null;
            /** @description Carries unused quota over to later usage periods; null: no rollover. */
            rollover?: {
                /** @description Number of later usage periods in which unused quota may be used. */
                periods: number;
                /**
                 * @description Whether it is used before or after the period’s own quota.
                 * @default last
                 * @enum {string}
                 */
                use: "first" | "last";
                /**
                 * @description At most six decimals.
                 * @default null
                 */
                max: number | null;
            } | null;
            /** @description Units per period for each of the customer’s entities. With a `quota`, it caps each entity’s share of it; without one, each entity has its own quota. Null: entities share the quota. At most six decimals. */
            entityQuota?: number | null;
            /** @description Percentages of the quota that trigger `USAGE_THRESHOLD_REACHED`; null: those of the workspace’s settings. */
            alertPercents?: number[] | null;
        };
        UpdateFeatureRequest: {
            name?: string;
            /** @description Display name of the unit: `token`, `GB`. */
            unit?: string | null;
            /**
             * @description Up to three properties of its usage events by which a series can be grouped. A dimension applies from when it is declared; earlier events have no value for it. Up to 1,000 values of each are distinguished.
             * @example [
             *       "model"
             *     ]
             */
            dimensions?: string[];
        };
        UpdatePlanGroupRequest: {
            /** @example pro */
            slug?: string;
            name?: string;
        };
        UpdatePlanRequest: {
            name?: string;
            price?: {
                /**
                 * @description Minor units (cents for USD, yen for JPY), as text.
                 * @example 1451
                 */
                amount: string;
                /** @example USD */
                currency: string;
            };
            trialDays?: number;
            /**
             * @description Maximum number of entities (users, projects and so on) per customer; null: unlimited.
             * @example null
             */
            entityLimit?: number | null;
            metadata?: {
                providerAPriceId?: string;
                providerBPlanId?: string;
                providerCPlanCode?: string;
            } & {
                [key: string]: string | number | boolean | null;
            };
            planGroupId?: string;
            /** @enum {string} */
            interval?: "month" | "year";
            /** @enum {string} */
            pricing?: "flat" | "per_seat";
        };
        UpdateProviderConnectionRequest: {
            displayName?: string;
            /** @description Members sent replace the stored ones; null removes one. */
            settings?: {
                merchantId?: string | null;
                accountId?: string | null;
                /** @description Maps a plan’s id or slug to the provider’s reference. */
                planReferences?: {
                    [key: string]: string;
                } | null;
                planMappings?: {
                    [key: string]: string;
                } | null;
            } & {
                [key: string]: string | null;
            };
            /** @description provider_a: `secretKey` and `webhookSecret` (up to 10, joined by commas, while one replaces another); provider_b: `clientId`, `clientSecret`, `webhookId` and `webhookSecret`; provider_c: `secretKey`. A secret that is omitted or empty keeps its stored value. */
            secrets?: {
                [key: string]: string;
            };
            disabled?: boolean;
        };
        UsageAlreadyReversedOrCustomerErasedOrIdempotencyKeyInUseProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "usage_already_reversed" | "customer_erased" | "idempotency_key_in_use";
        } & {
            [key: string]: unknown;
        });
        UsageCheck: {
            /** @enum {string} */
            status: "access_granted" | "access_denied";
            allowed: boolean;
            reason: {
                /** @enum {string} */
                code: "no_active_subscription" | "feature_not_in_plan" | "quota_exceeded" | "subscription_past_due" | "entity_limit_reached" | "entity_required";
                /** @description Safe to show to the customer. */
                message: string;
            } | null;
            /** @description Present if `reserve` was requested and granted; pass it to track. */
            reservationId?: string;
            /** Format: date-time */
            reservationExpiresAt?: string;
            /** @example dec_01jf2k7p3nfqvb9x4z6t8w2s5r */
            decisionId: string;
            /** @example demo_acme */
            externalId: string;
            /** @example ai_tokens */
            feature: string;
            /** @example 500 */
            quantity: number;
            /** @description If the request names an entity: its usage and its remaining units. If only entities have quotas, the other balances are the entity’s too. */
            entity?: {
                id: string;
                usage: number;
                /** @description Null if the entity has no quota of its own. */
                quota: number | null;
                remaining: number | null;
                reserved: number;
            };
            /** @description Units used in the usage period (of a track: that of its `timestamp`), across all subscriptions that grant the feature. */
            usage: number;
            /** @description Units per period; null if unlimited, and for a boolean feature. */
            quota: number | null;
            remaining: number | null;
            unlimited: boolean;
            /** @description Unused units carried over from earlier usage periods; included in `remaining`. */
            rollover: number;
            /** @description Units held by reservations; not included in `remaining` and `creditBalance`. */
            reserved: number;
            /** @enum {string|null} */
            enforcement: "hard" | "soft" | null;
            /** @description Credits of the customer that have not expired. */
            creditBalance: number;
            /** @description `quantity`: the part of this call not covered by quota and credits. */
            overage: {
                allowed: boolean;
                quantity: number;
            };
            /** @description The usage period; `end` is null if the quota never resets. */
            period: {
                /** Format: date-time */
                start: string;
                /** Format: date-time */
                end: string | null;
            } | null;
            plan: {
                id: string;
                slug: string;
            } | null;
            subscriptionId: string | null;
        };
        UsageEvent: {
            id: string;
            /** @description The customer’s. */
            externalId: string;
            customerId: string;
            feature: string;
            /** @description Units, as they were tracked. */
            quantity: number;
            source: string;
            /**
             * Format: date-time
             * @description When it was used.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When it was tracked.
             */
            recordedAt: string;
            /** @description Whether its usage period was closed when it was tracked. */
            late: boolean;
            /** @description The customer’s entity that used it. */
            entity: string | null;
            properties: {
                [key: string]: unknown;
            } | null;
            idempotencyKey: string;
            /** @description What it deducted, as in the answer of the track. */
            deductions: {
                /** @enum {string} */
                from: "quota" | "rollover" | "credits" | "overage";
                quantity: number;
                subscriptionId: string;
                credits?: number;
                grantId?: string;
            }[];
            /** @description Its reversals. */
            reversal: {
                quantity: number;
                reason: string;
                /** Format: date-time */
                reversedAt: string;
                actor: {
                    operatorId: string | null;
                    apiKeyId: string | null;
                };
            } | null;
        };
        UsageEventPage: {
            data: components["schemas"]["UsageEvent"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        UsageGroup: {
            /**
             * @description `all` without groups; `other`: the groups beyond `limit`, and values beyond the 1,000th.
             * @enum {string}
             */
            kind: "all" | "feature" | "customer" | "value" | "other";
            /** @description The feature’s key, the customer’s external id or the value; null for `all`, `other`, and usage without a value. */
            key: string | null;
            /** @description Units, net of reversals. */
            quantity: number;
            /** @description Number of usage events, including reversed ones. */
            events: number;
            /** @description One per bucket, oldest first. */
            points: components["schemas"]["UsagePoint"][];
        };
        UsagePoint: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
            /** @description Units, net of reversals. */
            quantity: number;
            /** @description Number of usage events, including reversed ones. */
            events: number;
        };
        UsageReservation: {
            id: string;
            externalId: string;
            customerId: string;
            feature: string;
            /** @description The customer’s entity it is for. */
            entity: string | null;
            quantity: number;
            /**
             * @description `held`: the units are not available to other calls. `confirmed`: a track has used them.
             * @enum {string}
             */
            status: "held" | "confirmed" | "released" | "expired";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** @description The usage event that confirmed it. */
            eventId: string | null;
        };
        UsageReservationPage: {
            data: components["schemas"]["UsageReservation"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        UsageReversal: {
            eventId: string;
            externalId: string;
            feature: string;
            /** @description Units reversed. */
            quantity: number;
            reason: string;
            /** @description Where the units were returned to. */
            returned: {
                /** @enum {string} */
                from: "quota" | "rollover" | "credits" | "overage";
                quantity: number;
                subscriptionId: string;
                credits?: number;
                grantId?: string;
            }[];
            operatorId: string | null;
            apiKeyId: string | null;
            /** Format: date-time */
            reversedAt: string;
        };
        UsageSeries: {
            /**
             * Format: date-time
             * @description Start of the first bucket.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last bucket.
             */
            to: string;
            /** @enum {string} */
            interval: "hour" | "day" | "month";
            timeZone: string;
            /** @enum {string} */
            groupBy: "none" | "feature" | "customer" | "dimension";
            dimension: string | null;
            feature: string | null;
            customer: string | null;
            /** @description Units, net of reversals. */
            quantity: number;
            /** @description Number of usage events, including reversed ones. */
            events: number;
            /** @description Largest first, `other` last. They add up to the total. */
            groups: components["schemas"]["UsageGroup"][];
        };
        UseResetLinkRequest: {
            token: string;
            password: string;
        };
        ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "body_invalid_json" | "body_duplicate_member" | "body_too_complex" | "body_invalid_utf8" | "body_incomplete" | "body_number_imprecise" | "idempotency_key_required" | "idempotency_key_invalid";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedOrBodyUnusableProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "body_invalid_json" | "body_duplicate_member" | "body_too_complex" | "body_invalid_utf8" | "body_incomplete" | "body_number_imprecise";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedOrCursorInvalidOrTakeInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "cursor_invalid" | "take_invalid";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedOrCursorInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "cursor_invalid";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedOrIdempotencyKeyInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "idempotency_key_invalid";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalidProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed" | "idempotency_key_required" | "idempotency_key_invalid";
        } & {
            [key: string]: unknown;
        });
        ValidationFailedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "validation_failed";
        } & {
            [key: string]: unknown;
        });
        WaitingCommands: {
            /** @description Whether the pending change can be withdrawn; null if there is none. */
            withdraw: {
                /**
                 * @description What is withdrawn: `pendingApproval` or `scheduledChange`.
                 * @enum {string}
                 */
                change: "approval" | "scheduled";
                available: boolean;
                /** @description Why it is not available now. */
                reason: string | null;
                reasonCode: string | null;
            } | null;
            /** @description Whether something waits for another attempt at the provider; a retry runs it now. */
            retry: boolean;
        };
        Webhook: {
            id: string;
            /** @enum {string} */
            provider: "provider_a" | "provider_b" | "provider_c";
            connectionId: string;
            /** @description The provider’s type of the event. */
            eventType: string;
            /**
             * @description `applied`: reconciled. `ignored`: no effect. `unmatched`: stored until the object it refers to is known. `failed`: can be replayed.
             * @enum {string}
             */
            status: "applied" | "ignored" | "unmatched" | "failed";
            /**
             * @description Always verified: an unverified webhook is not stored.
             * @enum {boolean}
             */
            verified: true;
            /** @description Whether the object it refers to is known here. */
            matched: boolean;
            applied: boolean;
            /** @description Why it was not applied, or only in part; as a sentence. */
            reason: string | null;
            changes: components["schemas"]["WebhookChange"][];
            /** @description Number of deliveries. */
            deliveries: number;
            /**
             * Format: date-time
             * @description By the provider’s clock.
             */
            occurredAt: string | null;
            /** Format: date-time */
            receivedAt: string;
            /** Format: date-time */
            processedAt: string | null;
            /**
             * Format: date-time
             * @description When its body was erased together with its customer; it can no longer be replayed.
             */
            erasedAt: string | null;
        };
        WebhookAddressRefusedProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "webhook_address_refused";
        } & {
            [key: string]: unknown;
        });
        WebhookAttempt: {
            id: string;
            /** Format: date-time */
            attemptedAt: string;
            durationMs: number;
            /** @description null if no response arrived. */
            statusCode: number | null;
            /** @description Why no response arrived, or why it was not read. */
            error: string | null;
            /** @description The first 1 KB of the response, as text. */
            answer: string | null;
        };
        WebhookChange: {
            /** @description The id of the record. */
            target: string;
            field: string;
            from: string | null;
            to: string | null;
        };
        WebhookDelivery: {
            /** @description The `webhook-id` header: the same at each attempt. */
            messageId: string;
            endpointId: string;
            type: string;
            resource: {
                type: string;
                id: string;
            };
            sequence: number;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Attempts since it was first sent, or last sent again. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description null once it has ended. During an attempt: when the attempt is considered lost.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** @description The latest 20, newest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            /** @description null for all. */
            types: string[] | null;
            enabled: boolean;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description `failing`: no attempt succeeded for a week. `gone`: the endpoint answered 410.
             * @enum {string|null}
             */
            disabledReason: "operator" | "failing" | "gone" | null;
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last successful one; null if the last attempt succeeded.
             */
            failingSince: string | null;
            secretLastFour: string;
            /**
             * Format: date-time
             * @description Until when messages are also signed with an earlier secret.
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @description Real time, like all times of an endpoint and its deliveries, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookEndpointOffProblem: components["schemas"]["Problem"] & ({
            /** @enum {string} */
            code: "webhook_endpoint_off";
        } & {
            [key: string]: unknown;
        });
        WebhookEndpointPage: {
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        WebhookFailure: {
            id: string;
            connectionId: string;
            /** @enum {string} */
            provider: "provider_a" | "provider_b" | "provider_c";
            /**
             * @description `signature`: the signature is not valid for this environment; nothing is stored. `unavailable`: the signature could not be verified. `processing`: it was verified but could not be reconciled.
             * @enum {string}
             */
            kind: "signature" | "processing" | "unavailable";
            /** @description As a sentence; if several are counted, that of the first. */
            reason: string;
            /** @description Number of deliveries: above 1 if a minute’s flood is counted in one record. */
            count: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
        };
        WebhookFailurePage: {
            data: components["schemas"]["WebhookFailure"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        WebhookMessage: {
            id: string;
            /** @enum {string} */
            type: "subscription.created" | "subscription.changed" | "subscription.past_due" | "subscription.renewed" | "subscription.cancelled" | "subscription.expired" | "approval.needed" | "approval.given" | "approval.expired" | "drift.found" | "checkout.completed" | "checkout.expired" | "payment.succeeded" | "payment.pending" | "payment.failed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "refund.pending" | "refund.succeeded" | "refund.failed" | "usage.threshold_reached" | "credits.low" | "operation.concluded" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /** @description The payload sent to each endpoint. */
            payload: {
                /** @enum {string} */
                type: "subscription.created" | "subscription.changed" | "subscription.past_due" | "subscription.renewed" | "subscription.cancelled" | "subscription.expired" | "approval.needed" | "approval.given" | "approval.expired" | "drift.found" | "checkout.completed" | "checkout.expired" | "payment.succeeded" | "payment.pending" | "payment.failed" | "dispute.opened" | "dispute.won" | "dispute.lost" | "refund.pending" | "refund.succeeded" | "refund.failed" | "usage.threshold_reached" | "credits.low" | "operation.concluded" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
                /**
                 * Format: date-time
                 * @description When it happened, by the workspace’s time.
                 */
                timestamp: string;
                /** @description The `webhook-id`: the same at every attempt and every endpoint. */
                id: string;
                /** @description Sequence number of the messages about the resource. Ignore a message whose number is not higher than the last one you processed. */
                sequence: number;
                resource: {
                    /** @enum {string} */
                    type: "subscription" | "checkout" | "payment" | "refund" | "customer" | "operation" | "webhook_endpoint";
                    id: string;
                };
                /** @description The resource as the API returns it. For `drift.found`, `usage.threshold_reached` and `credits.low`: the developer event. Null if it was deleted or is larger than 256 KiB. */
                data?: unknown;
            };
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            /** @description Whether there are further pages. */
            hasMore: boolean;
            /** @description Present exactly when `hasMore` is true. */
            nextCursor?: string;
        };
        WebhookReplay: {
            eventId: string;
            dryRun: boolean;
            /**
             * @description `applied`: reconciled. `ignored`: no effect. `unmatched`: stored until the object it refers to is known. `failed`: can be replayed.
             * @enum {string}
             */
            status: "applied" | "ignored" | "unmatched" | "failed";
            /** @description Why it was not applied, or only in part; as a sentence. */
            reason: string | null;
            /** @description What it changed; in a dry run, what it would change. */
            changes: components["schemas"]["WebhookChange"][];
        };
        WebhookResend: {
            id: string;
            endpointId: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description Messages created later are delivered anyway.
             */
            until: string;
            undeliveredOnly: boolean;
            /** @description Messages queued so far. */
            resent: number;
            /**
             * Format: date-time
             * @description Real time, also in a sandbox whose clock was advanced.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last one was queued; null while it runs.
             */
            endedAt: string | null;
        };
        WorkspaceSettings: {
            /** @example USD */
            defaultCurrency: string;
            /**
             * @description IANA name. New subscriptions start in it and keep it; those that a payment provider bills are counted in UTC.
             * @example Europe/Berlin
             */
            timeZone: string;
            /**
             * @description exclusive: tax is added to prices; inclusive: prices contain it; none: no tax.
             * @enum {string}
             */
            taxBehavior: "none" | "exclusive" | "inclusive";
            taxRates: {
                /** @example VAT */
                name: string;
                /**
                 * @description A fraction as text: "0.19" is 19 %.
                 * @example 0.19
                 */
                rate: string;
                /**
                 * @description The rate applies to customers of this country (`country` in their metadata). A rate without a country applies to customers whose country has no rate here, or is not known.
                 * @example DE
                 */
                country?: string;
            }[];
            invoiceProfile: {
                legalName?: string;
                address?: string;
                taxId?: string;
                /** @example demo@tollgate.example */
                email?: string;
                footer?: string;
            };
            /** @enum {string} */
            defaultProvider: "internal" | "provider_a" | "provider_b" | "provider_c";
            /** @description Days after which an unpaid transaction makes its subscription past due. */
            pastDueAfterDays: number;
            /** @description Days for which a past-due subscription still grants access. */
            graceDays: number;
            /** @description Days after which a past-due subscription expires; at least graceDays. */
            expireAfterDays: number;
            /** @description Days that a customer has to approve a change, if the payment provider requires approval. */
            approvalDays: number;
            /** @description Requests per second that each secret key may send, across all processes. */
            keyRequestsPerSecond: number;
            /** @description Concurrent requests allowed for each secret key. */
            keyConcurrentRequests: number;
            /** @description How many days back usage may be reported; 0: the 5 minutes by which clocks may differ. */
            usageReportedDays: number;
            /** @description Minutes for which a usage period stays open after its end; usage reported later is late. */
            usageGraceMinutes: number;
            /**
             * @description Percentages of a quota that trigger `USAGE_THRESHOLD_REACHED`, once per usage period, and again if the quota changes; above 100 for overage. Empty: none. Entitlements and customers may have their own.
             * @example [
             *       80,
             *       100
             *     ]
             */
            usageAlertPercents: number[];
            /** @description `CREDITS_LOW` is sent when at most this percentage of the granted credits remains; once, until there is a new grant. null: never. */
            creditsLowPercent: number | null;
            /**
             * @description Origins to which a checkout and the customer’s page may send the customer back. Empty: any in a sandbox, none in production.
             * @example [
             *       "https://app.example.com"
             *     ]
             */
            returnOrigins: string[];
            /** Format: date-time */
            updatedAt: string;
        };
    };
    responses: {
        /** @description - `validation_failed`: The request has missing, unknown or malformed members. */
        ValidationFailed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"];
            };
        };
        /** @description - `session_required`: You are not logged in. */
        SessionRequired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SessionRequiredProblem"];
            };
        };
        /** @description - `second_factor_enrolment_required`: The organization requires a second factor, and you have none. */
        SecondFactorEnrolmentRequired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorEnrolmentRequiredProblem"];
            };
        };
        /** @description - `organization_forbidden`: You are not a member of such an organization. */
        OrganizationForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenProblem"];
            };
        };
        /** @description - `internal_error`: Something went wrong on our side. */
        InternalError: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalErrorProblem"];
            };
        };
        /** @description - `service_unavailable`: The service cannot reach its database. */
        ServiceUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `cursor_invalid`: The cursor is damaged or was not issued for this list with these filters.
         *     - `take_invalid`: The page size is out of range.
         */
        ValidationFailedOrCursorInvalidOrTakeInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrCursorInvalidOrTakeInvalidProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `body_invalid_json`: The body is not valid JSON.
         *     - `body_duplicate_member`: An object in the body has a member twice.
         *     - `body_too_complex`: The body has more members and elements than this endpoint accepts.
         *     - `body_invalid_utf8`: The body is not valid UTF-8 text.
         *     - `body_incomplete`: The body ended before it was complete.
         *     - `body_number_imprecise`: A number in the body cannot be represented exactly.
         */
        ValidationFailedOrBodyUnusable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrBodyUnusableProblem"];
            };
        };
        /**
         * @description - `second_factor_enrolment_required`: The organization requires a second factor, and you have none.
         *     - `origin_forbidden`: The request comes from a page of another origin.
         *     - `role_forbidden`: Your role in this organization does not allow this.
         */
        SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbiddenProblem"];
            };
        };
        /** @description - `resource_conflict`: The name, slug, key or external ID is already taken. */
        ResourceConflict: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResourceConflictProblem"];
            };
        };
        /** @description - `body_too_large`: The body is larger than this endpoint accepts. */
        BodyTooLarge: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BodyTooLargeProblem"];
            };
        };
        /** @description - `content_type_unsupported`: The content type of the body is not supported. */
        ContentTypeUnsupported: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ContentTypeUnsupportedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `plan_group_not_found`: There is no such plan group.
         */
        OrganizationForbiddenOrPlanGroupNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrPlanGroupNotFoundProblem"];
            };
        };
        /**
         * @description - `resource_conflict`: The name, slug, key or external ID is already taken.
         *     - `plan_group_archived`: The plan group is archived and takes no new plans.
         */
        ResourceConflictOrPlanGroupArchived: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResourceConflictOrPlanGroupArchivedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `plan_not_found`: There is no such plan.
         *     - `plan_group_not_found`: There is no such plan group.
         */
        OrganizationForbiddenOrPlanNotFoundOrPlanGroupNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrPlanNotFoundOrPlanGroupNotFoundProblem"];
            };
        };
        /**
         * @description - `plan_terms_fixed`: The plan has or had subscriptions, or one may change to it, so its group, currency, interval and pricing are fixed.
         *     - `plan_group_archived`: The plan group is archived and takes no new plans.
         */
        PlanTermsFixedOrPlanGroupArchived: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PlanTermsFixedOrPlanGroupArchivedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `plan_not_found`: There is no such plan.
         */
        OrganizationForbiddenOrPlanNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrPlanNotFoundProblem"];
            };
        };
        /** @description - `plan_in_use`: The plan has or had subscriptions, or one may change to it, and it cannot be deleted. */
        PlanInUse: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PlanInUseProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `feature_not_found`: There is no such feature.
         */
        OrganizationForbiddenOrFeatureNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrFeatureNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `feature_not_found`: There is no such feature.
         *     - `plan_not_found`: There is no such plan.
         */
        OrganizationForbiddenOrFeatureNotFoundOrPlanNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrFeatureNotFoundOrPlanNotFoundProblem"];
            };
        };
        /**
         * @description - `resource_conflict`: The name, slug, key or external ID is already taken.
         *     - `feature_archived`: The feature is archived and cannot be added to a plan.
         */
        ResourceConflictOrFeatureArchived: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResourceConflictOrFeatureArchivedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `entitlement_not_found`: There is no such entitlement on this plan.
         */
        OrganizationForbiddenOrEntitlementNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrEntitlementNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `customer_not_found`: There is no such customer.
         */
        OrganizationForbiddenOrCustomerNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCustomerNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `customer_not_found`: There is no such customer.
         *     - `feature_not_found`: There is no such feature.
         */
        OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFoundProblem"];
            };
        };
        /** @description - `entity_required`: The feature has a quota for each entity, and the request names none. */
        EntityRequired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["EntityRequiredProblem"];
            };
        };
        /**
         * @description - `service_busy`: The service is overloaded.
         *     - `service_unavailable`: The service cannot reach its database.
         */
        ServiceBusyOrServiceUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceBusyOrServiceUnavailableProblem"];
            };
        };
        /** @description - `customer_erased`: The customer was erased. */
        CustomerErased: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CustomerErasedProblem"];
            };
        };
        /**
         * @description - `second_factor_required`: This needs your second factor again.
         *     - `second_factor_enrolment_required`: The organization requires a second factor, and you have none.
         *     - `origin_forbidden`: The request comes from a page of another origin.
         *     - `role_forbidden`: Your role in this organization does not allow this.
         */
        SecondFactorWantedOrOriginForbiddenOrRoleForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorWantedOrOriginForbiddenOrRoleForbiddenProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `erasure_not_found`: There is no such erasure.
         */
        OrganizationForbiddenOrErasureNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrErasureNotFoundProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `body_invalid_json`: The body is not valid JSON.
         *     - `body_duplicate_member`: An object in the body has a member twice.
         *     - `body_too_complex`: The body has more members and elements than this endpoint accepts.
         *     - `body_invalid_utf8`: The body is not valid UTF-8 text.
         *     - `body_incomplete`: The body ended before it was complete.
         *     - `body_number_imprecise`: A number in the body cannot be represented exactly.
         *     - `idempotency_key_required`: The request needs an idempotency key.
         *     - `idempotency_key_invalid`: The idempotency key is malformed.
         */
        ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusableProblem"];
            };
        };
        /**
         * @description - `too_many_credit_grants`: The customer has too many grants of credits that are neither spent nor expired.
         *     - `customer_erased`: The customer was erased.
         *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         */
        TooManyCreditGrantsOrCustomerErasedOrIdempotencyKeyInUse: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyCreditGrantsOrCustomerErasedOrIdempotencyKeyInUseProblem"];
            };
        };
        /** @description - `idempotency_key_reused`: The idempotency key was used for another request. */
        IdempotencyKeyReused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `customer_not_found`: There is no such customer.
         *     - `credit_grant_not_found`: The customer has no such grant of credits.
         */
        OrganizationForbiddenOrCustomerNotFoundOrCreditGrantNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCustomerNotFoundOrCreditGrantNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `customer_not_found`: There is no such customer.
         *     - `plan_not_found`: There is no such plan.
         */
        OrganizationForbiddenOrCustomerNotFoundOrPlanNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCustomerNotFoundOrPlanNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `subscription_not_found`: There is no such subscription.
         */
        OrganizationForbiddenOrSubscriptionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrSubscriptionNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `transaction_not_found`: There is no such transaction.
         */
        OrganizationForbiddenOrTransactionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrTransactionNotFoundProblem"];
            };
        };
        /** @description - `payment_declined`: The payment provider could not collect the payment, so nothing was changed. */
        PaymentDeclined: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PaymentDeclinedProblem"];
            };
        };
        /**
         * @description - `service_busy`: The service is overloaded.
         *     - `service_unavailable`: The service cannot reach its database.
         *     - `temporal_unavailable`: Subscription commands are temporarily unavailable.
         */
        ServiceBusyOrServiceUnavailableOrTemporalUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailableProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `checkout_not_found`: There is no such checkout.
         */
        OrganizationForbiddenOrCheckoutNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCheckoutNotFoundProblem"];
            };
        };
        /** @description - `checkout_not_open`: The checkout is not open. */
        CheckoutNotOpen: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CheckoutNotOpenProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `idempotency_key_required`: The request needs an idempotency key.
         *     - `idempotency_key_invalid`: The idempotency key is malformed.
         */
        ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalidProblem"];
            };
        };
        /**
         * @description - `capability_unsupported`: The billing provider of this subscription does not support the action.
         *     - `idempotency_key_reused`: The idempotency key was used for another request.
         */
        CapabilityUnsupportedOrIdempotencyKeyReused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CapabilityUnsupportedOrIdempotencyKeyReusedProblem"];
            };
        };
        /** @description - `nothing_to_retry`: The subscription has nothing to retry now. */
        NothingToRetry: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NothingToRetryProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `plan_not_found`: There is no such plan.
         *     - `subscription_not_found`: There is no such subscription.
         */
        OrganizationForbiddenOrPlanNotFoundOrSubscriptionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrPlanNotFoundOrSubscriptionNotFoundProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `idempotency_key_invalid`: The idempotency key is malformed.
         */
        ValidationFailedOrIdempotencyKeyInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrIdempotencyKeyInvalidProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `operation_not_found`: There is no such operation.
         */
        OrganizationForbiddenOrOperationNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrOperationNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `transaction_not_found`: There is no such transaction.
         *     - `checkout_not_found`: There is no such checkout.
         */
        OrganizationForbiddenOrTransactionNotFoundOrCheckoutNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrTransactionNotFoundOrCheckoutNotFoundProblem"];
            };
        };
        /**
         * @description - `checkout_not_open`: The checkout is not open.
         *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         */
        CheckoutNotOpenOrIdempotencyKeyInUse: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CheckoutNotOpenOrIdempotencyKeyInUseProblem"];
            };
        };
        /**
         * @description - `payment_currency_differs`: The amount is in the wrong currency.
         *     - `capability_unsupported`: The billing provider of this subscription does not support the action.
         *     - `idempotency_key_reused`: The idempotency key was used for another request.
         */
        PaymentCurrencyDiffersOrCapabilityUnsupportedOrIdempotencyKeyReused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PaymentCurrencyDiffersOrCapabilityUnsupportedOrIdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `payment_not_found`: There is no such payment.
         */
        OrganizationForbiddenOrPaymentNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrPaymentNotFoundProblem"];
            };
        };
        /**
         * @description - `payment_currency_differs`: The amount is in the wrong currency.
         *     - `idempotency_key_reused`: The idempotency key was used for another request.
         */
        PaymentCurrencyDiffersOrIdempotencyKeyReused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PaymentCurrencyDiffersOrIdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `refund_not_found`: There is no such refund.
         */
        OrganizationForbiddenOrRefundNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrRefundNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `usage_event_not_found`: There is no such usage event.
         */
        OrganizationForbiddenOrUsageEventNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrUsageEventNotFoundProblem"];
            };
        };
        /**
         * @description - `usage_already_reversed`: The usage event was already reversed.
         *     - `customer_erased`: The customer was erased.
         *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         */
        UsageAlreadyReversedOrCustomerErasedOrIdempotencyKeyInUse: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UsageAlreadyReversedOrCustomerErasedOrIdempotencyKeyInUseProblem"];
            };
        };
        /**
         * @description - `series_too_long`: The series would have more than 1,000 points.
         *     - `dimension_not_declared`: The feature has no such dimension.
         */
        SeriesTooLongOrDimensionNotDeclared: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SeriesTooLongOrDimensionNotDeclaredProblem"];
            };
        };
        /**
         * @description - `validation_failed`: The request has missing, unknown or malformed members.
         *     - `cursor_invalid`: The cursor is damaged or was not issued for this list with these filters.
         */
        ValidationFailedOrCursorInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedOrCursorInvalidProblem"];
            };
        };
        /** @description - `too_many_exports`: Too many exports are in progress. */
        TooManyExports: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyExportsProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `reservation_not_found`: The customer has no such reservation.
         */
        OrganizationForbiddenOrReservationNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrReservationNotFoundProblem"];
            };
        };
        /** @description - `reservation_ended`: The reservation was confirmed or released before. */
        ReservationEnded: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ReservationEndedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `customer_not_found`: There is no such customer.
         *     - `entity_not_found`: The customer has no such entity.
         */
        OrganizationForbiddenOrCustomerNotFoundOrEntityNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrCustomerNotFoundOrEntityNotFoundProblem"];
            };
        };
        /** @description - `too_many_webhook_endpoints`: The environment has the maximum number of webhook endpoints. */
        TooManyWebhookEndpoints: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyWebhookEndpointsProblem"];
            };
        };
        /** @description - `webhook_address_refused`: Webhooks are not sent to this address. */
        WebhookAddressRefused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookAddressRefusedProblem"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `key_unavailable`: The service does not hold the key for these credentials.
         */
        ServiceUnavailableOrKeyUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableOrKeyUnavailableProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_endpoint_not_found`: There is no such webhook endpoint.
         */
        OrganizationForbiddenOrWebhookEndpointNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookEndpointNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_delivery_not_found`: The endpoint has no such delivery.
         */
        OrganizationForbiddenOrWebhookDeliveryNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookDeliveryNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_endpoint_not_found`: There is no such webhook endpoint.
         *     - `webhook_delivery_not_found`: The endpoint has no such delivery.
         */
        OrganizationForbiddenOrWebhookEndpointNotFoundOrWebhookDeliveryNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookEndpointNotFoundOrWebhookDeliveryNotFoundProblem"];
            };
        };
        /** @description - `webhook_endpoint_off`: The webhook endpoint is disabled. */
        WebhookEndpointOff: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookEndpointOffProblem"];
            };
        };
        /**
         * @description - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         *     - `webhook_endpoint_off`: The webhook endpoint is disabled.
         */
        IdempotencyKeyInUseOrWebhookEndpointOff: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyInUseOrWebhookEndpointOffProblem"];
            };
        };
        /**
         * @description - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         *     - `webhook_endpoint_off`: The webhook endpoint is disabled.
         *     - `webhook_resend_running`: Messages are already being resent to this endpoint.
         */
        IdempotencyKeyInUseOrWebhookEndpointOffOrWebhookResendRunning: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyInUseOrWebhookEndpointOffOrWebhookResendRunningProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_resend_not_found`: The endpoint has no such resend.
         */
        OrganizationForbiddenOrWebhookResendNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookResendNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_message_not_found`: There is no such webhook message.
         */
        OrganizationForbiddenOrWebhookMessageNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookMessageNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `connection_not_found`: There is no such provider connection.
         */
        OrganizationForbiddenOrConnectionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrConnectionNotFoundProblem"];
            };
        };
        /**
         * @description - `settlement_overlaps`: Another settlement already covers part of the period.
         *     - `settlement_empty`: There are no payments or refunds left to settle.
         *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
         */
        SettlementOverlapsOrSettlementEmptyOrIdempotencyKeyInUse: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SettlementOverlapsOrSettlementEmptyOrIdempotencyKeyInUseProblem"];
            };
        };
        /**
         * @description - `settlement_too_large`: The total is too large for one settlement.
         *     - `idempotency_key_reused`: The idempotency key was used for another request.
         */
        SettlementTooLargeOrIdempotencyKeyReused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SettlementTooLargeOrIdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `settlement_not_found`: There is no such settlement.
         */
        OrganizationForbiddenOrSettlementNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrSettlementNotFoundProblem"];
            };
        };
        /** @description - `secret_wrong_environment`: The secret belongs to the other environment. */
        SecretWrongEnvironment: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecretWrongEnvironmentProblem"];
            };
        };
        /**
         * @description - `credential_corrupt`: The stored credentials are damaged or belong to another connection.
         *     - `internal_error`: Something went wrong on our side.
         */
        CredentialCorruptOrInternalError: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CredentialCorruptOrInternalErrorProblem"];
            };
        };
        /** @description - `connection_disabled`: The provider connection is disabled. */
        ConnectionDisabled: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConnectionDisabledProblem"];
            };
        };
        /** @description - `platform_administrator_required`: Only a platform administrator can do this. */
        PlatformAdministratorRequired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PlatformAdministratorRequiredProblem"];
            };
        };
        /**
         * @description - `origin_forbidden`: The request comes from a page of another origin.
         *     - `platform_administrator_required`: Only a platform administrator can do this.
         */
        OriginForbiddenOrPlatformAdministratorRequired: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OriginForbiddenOrPlatformAdministratorRequiredProblem"];
            };
        };
        /**
         * @description - `service_unavailable`: The service cannot reach its database.
         *     - `temporal_unavailable`: Subscription commands are temporarily unavailable.
         *     - `key_unavailable`: The service does not hold the key for these credentials.
         */
        ServiceUnavailableOrTemporalUnavailableOrKeyUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableOrTemporalUnavailableOrKeyUnavailableProblem"];
            };
        };
        /** @description - `key_switch_refused`: Not every running process holds this credential key. */
        KeySwitchRefused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["KeySwitchRefusedProblem"];
            };
        };
        /** @description - `login_failed`: The e-mail address or the password is wrong. */
        LoginFailed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["LoginFailedProblem"];
            };
        };
        /** @description - `origin_forbidden`: The request comes from a page of another origin. */
        OriginForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OriginForbiddenProblem"];
            };
        };
        /** @description - `login_throttled`: There were too many attempts to log in. */
        LoginThrottled: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["LoginThrottledProblem"];
            };
        };
        /**
         * @description - `login_challenge_invalid`: The log-in is unknown, finished or has taken too long.
         *     - `second_factor_failed`: The code of the second factor is wrong.
         */
        LoginChallengeInvalidOrSecondFactorFailed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["LoginChallengeInvalidOrSecondFactorFailedProblem"];
            };
        };
        /** @description - `second_factor_not_enrolled`: Your account has no second factor. */
        SecondFactorNotEnrolled: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorNotEnrolledProblem"];
            };
        };
        /**
         * @description - `session_required`: You are not logged in.
         *     - `password_wrong`: The password of your account is wrong.
         */
        SessionRequiredOrPasswordWrong: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SessionRequiredOrPasswordWrongProblem"];
            };
        };
        /**
         * @description - `second_factor_required`: This needs your second factor again.
         *     - `origin_forbidden`: The request comes from a page of another origin.
         */
        SecondFactorRequiredOrOriginForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorRequiredOrOriginForbiddenProblem"];
            };
        };
        /** @description - `second_factor_exists`: Your account already has a second factor. */
        SecondFactorExists: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorExistsProblem"];
            };
        };
        /**
         * @description - `service_busy`: The service is overloaded.
         *     - `service_unavailable`: The service cannot reach its database.
         *     - `key_unavailable`: The service does not hold the key for these credentials.
         */
        ServiceBusyOrServiceUnavailableOrKeyUnavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceBusyOrServiceUnavailableOrKeyUnavailableProblem"];
            };
        };
        /**
         * @description - `session_required`: You are not logged in.
         *     - `second_factor_failed`: The code of the second factor is wrong.
         */
        SessionRequiredOrSecondFactorFailed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SessionRequiredOrSecondFactorFailedProblem"];
            };
        };
        /**
         * @description - `second_factor_not_enrolled`: Your account has no second factor.
         *     - `second_factor_exists`: Your account already has a second factor.
         */
        SecondFactorNotEnrolledOrSecondFactorExists: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorNotEnrolledOrSecondFactorExistsProblem"];
            };
        };
        /**
         * @description - `session_required`: You are not logged in.
         *     - `password_wrong`: The password of your account is wrong.
         *     - `second_factor_failed`: The code of the second factor is wrong.
         */
        SessionRequiredOrPasswordWrongOrSecondFactorFailed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SessionRequiredOrPasswordWrongOrSecondFactorFailedProblem"];
            };
        };
        /** @description - `session_not_found`: There is no such session of yours. */
        SessionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SessionNotFoundProblem"];
            };
        };
        /** @description - `invitation_invalid`: The invitation is unknown, used or expired. */
        InvitationInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvitationInvalidProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `operator_not_found`: There is no such operator.
         */
        OrganizationForbiddenOrOperatorNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrOperatorNotFoundProblem"];
            };
        };
        /**
         * @description - `reset_link_refused`: No owner of this organization can reset this account.
         *     - `origin_forbidden`: The request comes from a page of another origin.
         */
        ResetLinkRefusedOrOriginForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResetLinkRefusedOrOriginForbiddenProblem"];
            };
        };
        /** @description - `reset_link_invalid`: The reset link is unknown, used or expired. */
        ResetLinkInvalid: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResetLinkInvalidProblem"];
            };
        };
        /** @description - `reset_link_other_session`: Another account is logged in here. */
        ResetLinkOtherSession: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResetLinkOtherSessionProblem"];
            };
        };
        /** @description - `last_owner`: An organization needs at least one owner. */
        LastOwner: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["LastOwnerProblem"];
            };
        };
        /**
         * @description - `second_factor_enrolment_required`: The organization requires a second factor, and you have none.
         *     - `role_forbidden`: Your role in this organization does not allow this.
         */
        SecondFactorEnrolmentRequiredOrRoleForbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SecondFactorEnrolmentRequiredOrRoleForbiddenProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `invitation_not_found`: There is no such open invitation.
         */
        OrganizationForbiddenOrInvitationNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrInvitationNotFoundProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `api_key_not_found`: There is no such API key.
         */
        OrganizationForbiddenOrApiKeyNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrApiKeyNotFoundProblem"];
            };
        };
        /** @description - `api_key_not_active`: The API key is revoked or has expired. */
        ApiKeyNotActive: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ApiKeyNotActiveProblem"];
            };
        };
        /** @description - `sandbox_only`: This works in the sandbox only. */
        SandboxOnly: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxOnlyProblem"];
            };
        };
        /**
         * @description - `sandbox_only`: This works in the sandbox only.
         *     - `clock_no_boundary`: Nothing in the sandbox is waiting for a later time.
         *     - `clock_backwards`: The sandbox clock cannot be moved back.
         */
        SandboxOnlyOrClockNoBoundaryOrClockBackwards: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxOnlyOrClockNoBoundaryOrClockBackwardsProblem"];
            };
        };
        /** @description - `clock_too_many_steps`: The advance would cause too many billing steps. */
        ClockTooManySteps: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ClockTooManyStepsProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `decision_not_found`: There is no such decision.
         */
        OrganizationForbiddenOrDecisionNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrDecisionNotFoundProblem"];
            };
        };
        /** @description - `too_many_streams`: Too many event streams are open. */
        TooManyStreams: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyStreamsProblem"];
            };
        };
        /**
         * @description - `organization_forbidden`: You are not a member of such an organization.
         *     - `webhook_not_found`: There is no such webhook.
         */
        OrganizationForbiddenOrWebhookNotFound: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OrganizationForbiddenOrWebhookNotFoundProblem"];
            };
        };
        /**
         * @description - `connection_disabled`: The provider connection is disabled.
         *     - `webhook_not_replayable`: The webhook cannot be replayed now.
         */
        ConnectionDisabledOrWebhookNotReplayable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConnectionDisabledOrWebhookNotReplayableProblem"];
            };
        };
        /** @description Accepted and still in progress; poll the address in `Location`. */
        OperationPending: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                Location: components["headers"]["Location"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Operation"];
            };
        };
    };
    parameters: {
        /** @description The environment to work in. */
        env: "sandbox" | "production";
        /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
        idempotencyKey: string;
        /** @description The `ETag` of an earlier answer. */
        ifNoneMatch: string;
        /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
        optionalIdempotencyKey: string;
        /** @description The organization to work in. */
        organizationId: string;
        /** @description Page size. */
        take: number;
        /** @description The `nextCursor` of the previous page, with the same filters. */
        cursor: string;
        id: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in logs and support. */
        "Request-Id": string;
        /** @description Identifies this version of the answer. Send it as `If-None-Match`: the response is 304 until the answer changes. */
        ETag: string;
        /**
         * @description What the key may still send to this process (draft-ietf-httpapi-ratelimit-headers).
         * @example "second";r=4999;t=1
         */
        RateLimit: string;
        /**
         * @description The limits: requests per second (`q` in `w` seconds), and concurrent requests.
         * @example "second";q=5000;w=1, "concurrent";q=2000;qu="concurrent-requests"
         */
        "RateLimit-Policy": string;
        /** @description Where to poll, as a path on this host. */
        Location: string;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /**
         * @description How to authenticate, and why the key was refused (RFC 6750).
         * @example Bearer realm="Tollgate", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /** @description `true` when this is the stored answer of an earlier request with the same key. */
        "Idempotency-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getOverview: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts and the processes */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlanGroups: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                archived?: "true" | "false";
                /** @description Part of the name, slug or key; case-insensitive. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plan groups */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroupPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPlanGroup: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlanGroupRequest"];
            };
        };
        responses: {
            /** @description The plan group */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroup"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPlanGroup: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan group */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroup"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrPlanGroupNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePlanGroup: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePlanGroupRequest"];
            };
        };
        responses: {
            /** @description The plan group */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroup"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanGroupNotFound"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archivePlanGroup: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan group */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroup"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanGroupNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unarchivePlanGroup: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan group */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanGroup"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanGroupNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlans: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those of the plan group with this `id` (`pgrp_…`). */
                planGroupId?: string;
                archived?: "true" | "false";
                /** @description Part of the name, slug or key; case-insensitive. */
                search?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanPage"];
                };
            };
            /** @description Not modified since the answer with that ETag. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlanRequest"];
            };
        };
        responses: {
            /** @description The plan */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPlan"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanGroupNotFound"];
            409: components["responses"]["ResourceConflictOrPlanGroupArchived"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: {
                /** @description The `ETag` of an earlier answer. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description Not modified since the answer with that ETag. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFound"];
            409: components["responses"]["PlanInUse"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePlanRequest"];
            };
        };
        responses: {
            /** @description The plan */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPlan"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFoundOrPlanGroupNotFound"];
            409: components["responses"]["PlanTermsFixedOrPlanGroupArchived"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archivePlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unarchivePlan: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFeatures: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                archived?: "true" | "false";
                /** @description Part of the name, slug or key; case-insensitive. */
                search?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer. */
                "If-None-Match"?: components["parameters"]["ifNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of features */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeaturePage"];
                };
            };
            /** @description Not modified since the answer with that ETag. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createFeature: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFeatureRequest"];
            };
        };
        responses: {
            /** @description The feature */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFeature: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feature */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrFeatureNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateFeature: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFeatureRequest"];
            };
        };
        responses: {
            /** @description The feature */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrFeatureNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveFeature: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feature */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrFeatureNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unarchiveFeature: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feature */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrFeatureNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEntitlements: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entitlements */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanEntitlementPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEntitlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEntitlementRequest"];
            };
        };
        responses: {
            /** @description The entitlement */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanEntitlement"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrFeatureNotFoundOrPlanNotFound"];
            409: components["responses"]["ResourceConflictOrFeatureArchived"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceEntitlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                entitlementId: string;
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceEntitlementRequest"];
            };
        };
        responses: {
            /** @description The entitlement */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanEntitlement"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrEntitlementNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEntitlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                entitlementId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrEntitlementNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEntitlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                entitlementId: string;
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEntitlementRequest"];
            };
        };
        responses: {
            /** @description The entitlement */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanEntitlement"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrEntitlementNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description The beginning of the external id, the name or the e-mail address. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCustomer: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description The customer */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCustomer: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseCustomer: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure, complete */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description The erasure, in progress */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            /**
             * @description - `resource_conflict`: The name, slug, key or external ID is already taken.
             *     - `customer_has_open_affairs`: The customer still has something open.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "resource_conflict" | "customer_has_open_affairs";
                        /** @description The ids of what is open. */
                        open?: {
                            subscriptions: string[];
                            checkouts: string[];
                            refunds: string[];
                            operations: string[];
                        };
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Inc."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCustomerRequest"];
            };
        };
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            409: components["responses"]["CustomerErased"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkCustomerUsage: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckCustomerUsageRequest"];
            };
        };
        responses: {
            /** @description The decision */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageCheck"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["EntityRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    listCustomerEntitlements: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description The customer’s user, project or similar that uses it. The first use creates it; a plan may limit the number of entities and the usage of each. */
                entity?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The features */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEntitlementList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCustomerErasure: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrErasureNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCredits: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants and the balance */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrantPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantCredits: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 100,
                 *       "reason": "Welcome"
                 *     }
                 */
                "application/json": components["schemas"]["GrantCreditsRequest"];
            };
        };
        responses: {
            /** @description The grant */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrant"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            409: components["responses"]["TooManyCreditGrantsOrCustomerErasedOrIdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    expireCredits: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grant */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditGrant"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrCreditGrantNotFound"];
            409: components["responses"]["CustomerErased"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endPortalSessions: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were ended */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedPortalSessions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                status?: "incomplete" | "trialing" | "active" | "past_due" | "cancelled" | "expired";
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                /** @description Only those of the plan with this `id` (`plan_…`). */
                planId?: string;
                provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
                /** @description What it is waiting for. */
                awaiting?: "checkout" | "provider" | "approval" | "payment" | "end" | "change" | "trial_end" | "renewal";
                /** @description Only those whose change could not be prepared at provider A for the renewal. */
                preparation?: "failed";
                /** @description Only those that differed from their provider when last compared. */
                drift?: "found";
                /** @description Open ones whose current period ends at this time or later. */
                renewsFrom?: string;
                /** @description Open ones whose current period ends before this time. */
                renewsTo?: string;
                /** @description Resources to include in `expanded`, separated by commas: `customer`, `plan`. */
                expand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "externalId": "demo_new",
                 *       "planSlug": "pro",
                 *       "seats": 2
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubscriptionRequest"];
            };
        };
        responses: {
            /** @description The subscription */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrPlanNotFound"];
            /**
             * @description - `customer_erased`: The customer was erased.
             *     - `subscription_exists`: The customer already has an open subscription in this plan group.
             *     - `plan_archived`: The plan is archived and takes no new subscriptions.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "customer_erased" | "subscription_exists" | "plan_archived" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Resources to include in `expanded`, separated by commas: `customer`, `plan`. */
                expand?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDueSubscriptions: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Default: the workspace’s current time. */
                from?: string;
                /** @description Days after `from`: 1, 7 or 31. */
                within?: "day" | "week" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DueSubscriptionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscriptionTimeline: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionTimeline"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                status?: "pending" | "partially_paid" | "paid" | "void";
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrTransactionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCheckouts: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                kind?: "subscription" | "payment";
                provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
                status?: "open" | "complete" | "expired";
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                /** @description Resources to include in `expanded`, separated by commas: `customer`, `plan`. */
                expand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checkouts */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCheckout: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "externalId": "demo_new",
                 *       "planSlug": "pro",
                 *       "provider": "provider_b",
                 *       "successUrl": "https://app.example.com/thanks",
                 *       "cancelUrl": "https://app.example.com/pricing"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCheckoutRequest"];
            };
        };
        responses: {
            /** @description The checkout */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            402: components["responses"]["PaymentDeclined"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            /**
             * @description - `organization_forbidden`: You are not a member of such an organization.
             *     - `customer_not_found`: There is no such customer.
             *     - `plan_not_found`: There is no such plan.
             *     - `connection_not_found`: There is no such provider connection.
             */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "organization_forbidden" | "customer_not_found" | "plan_not_found" | "connection_not_found";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            /**
             * @description - `customer_erased`: The customer was erased.
             *     - `subscription_exists`: The customer already has an open subscription in this plan group.
             *     - `plan_archived`: The plan is archived and takes no new subscriptions.
             *     - `plan_price_differs`: The plan’s price differs from the payment provider’s price.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `checkout_not_open`: The checkout is not open.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "customer_erased" | "subscription_exists" | "plan_archived" | "plan_price_differs" | "provider_refused" | "connection_disabled" | "checkout_not_open" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            /**
             * @description - `return_origin_forbidden`: The settings do not allow a return address of this origin.
             *     - `capability_unsupported`: The billing provider of this subscription does not support the action.
             *     - `plan_not_mapped`: The plan is not mapped at the payment provider.
             *     - `connection_ambiguous`: The request matches more than one provider connection, or none.
             *     - `idempotency_key_reused`: The idempotency key was used for another request.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "return_origin_forbidden" | "capability_unsupported" | "plan_not_mapped" | "connection_ambiguous" | "idempotency_key_reused";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    getCheckout: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Resources to include in `expanded`, separated by commas: `customer`, `plan`. */
                expand?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCheckoutNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    expireCheckout: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout, which has expired */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            /** @description The provider has not answered yet */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCheckoutNotFound"];
            409: components["responses"]["CheckoutNotOpen"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelSubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, and the subscription after it */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChange"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            /**
             * @description - `capability_unavailable`: The action is supported but cannot be done now.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "capability_unavailable" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    reactivateSubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, and the subscription after it */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChange"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            /**
             * @description - `capability_unavailable`: The action is supported but cannot be done now.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "capability_unavailable" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            422: components["responses"]["CapabilityUnsupportedOrIdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    retrySubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            409: components["responses"]["NothingToRetry"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    changeSubscription: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description `true`: nothing is changed; the answer is a preview of the change. */
                dryRun?: "true" | "false";
            };
            header?: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key"?: components["parameters"]["optionalIdempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planSlug": "starter",
                 *       "seats": 1
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSubscriptionRequest"];
            };
        };
        responses: {
            /** @description The change, or with `dryRun=true` its preview */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChange"] | components["schemas"]["ChangePreview"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            402: components["responses"]["PaymentDeclined"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPlanNotFoundOrSubscriptionNotFound"];
            /**
             * @description - `plan_archived`: The plan is archived and takes no new subscriptions.
             *     - `change_differs`: The change differs from what was shown, or would cost more.
             *     - `change_without_effect`: The subscription already has this plan and number of seats.
             *     - `plan_price_differs`: The plan’s price differs from the payment provider’s price.
             *     - `capability_unavailable`: The action is supported but cannot be done now.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "plan_archived" | "change_differs" | "change_without_effect" | "plan_price_differs" | "capability_unavailable" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            /**
             * @description - `plan_currency_differs`: The plan is in another currency than the subscription.
             *     - `plan_group_differs`: The plan belongs to another plan group than the subscription.
             *     - `interval_change_unsupported`: The billing provider of this subscription cannot move it to another billing interval.
             *     - `capability_unsupported`: The billing provider of this subscription does not support the action.
             *     - `plan_not_mapped`: The plan is not mapped at the payment provider.
             *     - `idempotency_key_reused`: The idempotency key was used for another request.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "plan_currency_differs" | "plan_group_differs" | "interval_change_unsupported" | "capability_unsupported" | "plan_not_mapped" | "idempotency_key_reused";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    withdrawScheduledChange: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key"?: components["parameters"]["optionalIdempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change, and the subscription after it */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionChange"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrIdempotencyKeyInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            /**
             * @description - `no_scheduled_change`: There is no scheduled change to withdraw.
             *     - `capability_unavailable`: The action is supported but cannot be done now.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "no_scheduled_change" | "capability_unavailable" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    listOperations: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                kind?: "cancel" | "reactivate" | "change" | "withdraw_scheduled_change" | "record_payment" | "refund" | "create_checkout" | "repair";
                /** @description `open`: those that are `pending` or `accepted`. */
                status?: "pending" | "accepted" | "abandoned" | "succeeded" | "refused" | "open";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedOperationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOperation: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrOperationNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPayments: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                /** @description Only those of the transaction with this `id` (`txn_…`). */
                transactionId?: string;
                /** @description Only those of the checkout with this `id` (`chk_…`). */
                checkoutId?: string;
                /** @description Only those of the settlement with this `id` (`stl_…`). */
                settlementId?: string;
                provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
                status?: "pending" | "succeeded" | "failed";
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordPayment: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "txn_01jf2k7p3nfqvb9x4z6t8w2s5r",
                 *       "amount": {
                 *         "amount": "2900",
                 *         "currency": "USD"
                 *       },
                 *       "reference": "Transfer 4711"
                 *     }
                 */
                "application/json": components["schemas"]["RecordPaymentRequest"];
            };
        };
        responses: {
            /** @description The payment */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrTransactionNotFoundOrCheckoutNotFound"];
            409: components["responses"]["CheckoutNotOpenOrIdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["PaymentCurrencyDiffersOrCapabilityUnsupportedOrIdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    getPayment: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrPaymentNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRefunds: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those of the payment with this `id` (`pay_…`). */
                paymentId?: string;
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                /** @description Only those of the settlement with this `id` (`stl_…`). */
                settlementId?: string;
                provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
                status?: "pending" | "succeeded" | "failed";
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRefund: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paymentId": "pay_01jf2k7p3nfqvb9x4z6t8w2s5r",
                 *       "amount": {
                 *         "amount": "900",
                 *         "currency": "USD"
                 *       },
                 *       "reason": "A month was too much."
                 *     }
                 */
                "application/json": components["schemas"]["CreateRefundRequest"];
            };
        };
        responses: {
            /** @description The refund */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrPaymentNotFound"];
            /**
             * @description - `payment_not_refundable`: The payment cannot be refunded.
             *     - `refund_exceeds_payment`: The refund exceeds what remains of the payment.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "payment_not_refundable" | "refund_exceeds_payment" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["PaymentCurrencyDiffersOrIdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    getRefund: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Resources to include in `expanded`, separated by commas: `customer`. */
                expand?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrRefundNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reverseUsage: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The job failed after it was counted"
                 *     }
                 */
                "application/json": components["schemas"]["ReverseUsageRequest"];
            };
        };
        responses: {
            /** @description The reversal */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReversal"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrUsageEventNotFound"];
            409: components["responses"]["UsageAlreadyReversedOrCustomerErasedOrIdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readUsageSeries: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description The first instant; its bucket is returned in full. */
                from: string;
                /** @description The end, exclusive; the last bucket is returned in full. */
                to: string;
                /** @description Size of a bucket. */
                interval: "hour" | "day" | "month";
                /** @description IANA name of the time zone of the buckets; default: that of the settings. */
                timeZone?: string;
                /** @description Only usage of the feature with this key. */
                feature?: string;
                /** @description Only usage of the customer with this external id. */
                customer?: string;
                groupBy?: "none" | "feature" | "customer" | "dimension";
                /** @description One of the feature’s dimensions; only with `groupBy=dimension`. */
                dimension?: string;
                /** @description Number of groups returned, the largest by quantity; the rest is the group `other`. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSeries"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFound"];
            422: components["responses"]["SeriesTooLongOrDimensionNotDeclared"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsageEvents: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only usage of the feature with this key. */
                feature?: string;
                /** @description Only usage of the customer with this external id. */
                customer?: string;
                /** @description Only usage whose `timestamp` is at this time or later. */
                from?: string;
                /** @description Only usage whose `timestamp` is before this time. */
                to?: string;
                /** @description Only usage of this entity of the customer; requires `customer`. */
                entity?: string;
                /** @description Only usage reported after its usage period was closed, or only the rest. */
                late?: "true" | "false";
                /** @description Only usage events with a reversal, or only the rest. */
                reversed?: "true" | "false";
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of usage events */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageEventPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsageEvent: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage event */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageEvent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrUsageEventNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportUsageEvents: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                format: "ndjson" | "csv";
                /** @description Only usage of the feature with this key. */
                feature?: string;
                /** @description Only usage of the customer with this external id. */
                customer?: string;
                /** @description Only usage whose `timestamp` is at this time or later. */
                from?: string;
                /** @description Only usage whose `timestamp` is before this time. */
                to?: string;
                /** @description Only usage of this entity of the customer; requires `customer`. */
                entity?: string;
                /** @description Only usage reported after its usage period was closed, or only the rest. */
                late?: "true" | "false";
                /** @description Only usage events with a reversal, or only the rest. */
                reversed?: "true" | "false";
                /** @description The `cursor` of the last line received, with the same filters: continues with the next one. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage events */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrFeatureNotFound"];
            429: components["responses"]["TooManyExports"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    listReservations: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reservations */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReservationPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReservation: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reservation */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReservation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrReservationNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseReservation: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reservation */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReservation"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrReservationNotFound"];
            409: components["responses"]["ReservationEnded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEntities: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entities */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEntityPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeEntity: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                /** @description The customer’s user, project or similar that uses it. The first use creates it; a plan may limit the number of entities and the usage of each. */
                entity: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrCustomerNotFoundOrEntityNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://app.example.com/webhooks/tollgate",
                 *       "types": [
                 *         "subscription.created",
                 *         "subscription.cancelled"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["TooManyWebhookEndpoints"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["WebhookAddressRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    readWebhookEndpoint: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The billing service"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["WebhookAddressRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rollWebhookSecret: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlapHours": 24
                 *     }
                 */
                "application/json": components["schemas"]["RollWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readWebhookDelivery: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookDeliveryNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWebhookMessage: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is pending */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFoundOrWebhookDeliveryNotFound"];
            409: components["responses"]["WebhookEndpointOff"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its delivery, which is pending */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["ValidationFailedOrIdempotencyKeyRequiredOrIdempotencyKeyInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookEndpointOff"];
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWebhookMessages: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-31T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResendWebhookMessagesRequest"];
            };
        };
        responses: {
            /** @description The resend; read it for its progress */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResend"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookEndpointOffOrWebhookResendRunning"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["IdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readWebhookResend: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
                resendId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resend */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResend"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookResendNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookMessage: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookMessage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookMessageNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscriptionDrift: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the two differ */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionDrift"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    repairSubscriptionDrift: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepairSubscriptionDriftRequest"];
            };
        };
        responses: {
            /** @description The subscription after the repair, and what it changed */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriftRepair"];
                };
            };
            202: components["responses"]["OperationPending"];
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrSubscriptionNotFound"];
            /**
             * @description - `capability_unavailable`: The action is supported but cannot be done now.
             *     - `provider_refused`: The payment provider refused the request.
             *     - `connection_disabled`: The provider connection is disabled.
             *     - `idempotency_key_in_use`: The first request with this idempotency key is still running.
             */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "capability_unavailable" | "provider_refused" | "connection_disabled" | "idempotency_key_in_use";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            /**
             * @description - `plan_currency_differs`: The plan is in another currency than the subscription.
             *     - `plan_group_differs`: The plan belongs to another plan group than the subscription.
             *     - `capability_unsupported`: The billing provider of this subscription does not support the action.
             *     - `plan_not_mapped`: The plan is not mapped at the payment provider.
             *     - `idempotency_key_reused`: The idempotency key was used for another request.
             */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "plan_currency_differs" | "plan_group_differs" | "capability_unsupported" | "plan_not_mapped" | "idempotency_key_reused";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrTemporalUnavailable"];
        };
    };
    listConnectionDrift: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of comparisons */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionDriftPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrConnectionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSettlements: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                provider?: "internal" | "provider_a" | "provider_b" | "provider_c";
                currency?: string;
                connectionId?: string;
                status?: "settled" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of settlements */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSettlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header: {
                /** @description Your own value for this operation, repeated on a retry: 1 to 255 visible ASCII characters. It identifies one request of the environment, across all routes. The key of a track is kept as long as the usage event; any other key is kept for 30 days and then counts as new. */
                "Idempotency-Key": components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSettlementRequest"];
            };
        };
        responses: {
            /** @description The settlement */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settlement"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusableOrIdempotencyKeyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["SettlementOverlapsOrSettlementEmptyOrIdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["SettlementTooLargeOrIdempotencyKeyReused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    collectSettlements: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of each connection */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementCollection"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSettlement: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settlement and its lines */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementWithLines"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrSettlementNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProviderConnections: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                provider?: "provider_a" | "provider_b" | "provider_c";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderConnectionPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProviderConnection: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 512 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProviderConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProviderConnection"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["SecretWrongEnvironment"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    getProviderConnection: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderConnection"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrConnectionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableProviderConnection: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderConnection"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrConnectionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProviderConnection: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 512 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProviderConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProviderConnection"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrConnectionNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["SecretWrongEnvironment"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    testProviderConnection: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of each check. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrConnectionNotFound"];
            409: components["responses"]["ConnectionDisabled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    getCredentialReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialReport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["PlatformAdministratorRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    migrateCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The migration has ended. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialReport"];
                };
            };
            /** @description The migration continues. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialReport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["OriginForbiddenOrPlatformAdministratorRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrTemporalUnavailableOrKeyUnavailable"];
        };
    };
    switchCredentialKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchCredentialKeyRequest"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialReport"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["OriginForbiddenOrPlatformAdministratorRequired"];
            409: components["responses"]["KeySwitchRefused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlatformAuditRecords: {
        parameters: {
            query?: {
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                action?: string;
                operatorId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformAuditRecordPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["PlatformAdministratorRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInRequest"];
            };
        };
        responses: {
            /** @description Logged in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: components["schemas"]["Operator"];
                    };
                };
            };
            /** @description The password is right, and the account has a second factor: no session is opened yet. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorAwaited"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["LoginFailed"];
            403: components["responses"]["OriginForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    finishLogIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinishLogInRequest"];
            };
        };
        responses: {
            /** @description Logged in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: components["schemas"]["Operator"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["LoginChallengeInvalidOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorNotEnrolled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["OriginForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operator and their role in each organization. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOverview"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description Changed; the cookie is set again. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrPasswordWrong"];
            403: components["responses"]["SecondFactorRequiredOrOriginForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether one is set up. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginSecondFactorRequest"];
            };
        };
        responses: {
            /** @description The secret, which is not shown again. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorEnrolment"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrPasswordWrong"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorExists"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrKeyUnavailable"];
        };
    };
    enrolSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolSecondFactorRequest"];
            };
        };
        responses: {
            /** @description It is in effect. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorNotEnrolledOrSecondFactorExists"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSecondFactorRequest"];
            };
        };
        responses: {
            /** @description Confirmed. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        confirmedAt: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorNotEnrolled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewRecoveryCodesRequest"];
            };
        };
        responses: {
            /** @description The new codes. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorNotEnrolled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableSecondFactorRequest"];
            };
        };
        responses: {
            /** @description Logging in now asks for the password only. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequiredOrPasswordWrongOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            409: components["responses"]["SecondFactorNotEnrolled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailableOrKeyUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSessionList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended, in every process at once. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["OriginForbidden"];
            404: components["responses"]["SessionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    lookAtInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookAtInvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            403: components["responses"]["OriginForbidden"];
            404: components["responses"]["InvitationInvalid"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Joined and logged in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: components["schemas"]["Operator"];
                        organizationId: string;
                    };
                };
            };
            /** @description The password is right, and the account has a second factor: it has not joined, and no session is opened yet. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorAwaited"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["LoginFailed"];
            403: components["responses"]["OriginForbidden"];
            404: components["responses"]["InvitationInvalid"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    acceptInvitationWithCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationWithCodeRequest"];
            };
        };
        responses: {
            /** @description Joined and logged in; the cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operator: components["schemas"]["Operator"];
                        organizationId: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["LoginChallengeInvalidOrSecondFactorFailed"];
            403: components["responses"]["OriginForbidden"];
            404: components["responses"]["InvitationInvalid"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableOrKeyUnavailable"];
        };
    };
    issueResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
                operatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLink"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            /**
             * @description - `second_factor_required`: This needs your second factor again.
             *     - `second_factor_enrolment_required`: The organization requires a second factor, and you have none.
             *     - `reset_link_refused`: No owner of this organization can reset this account.
             *     - `origin_forbidden`: The request comes from a page of another origin.
             *     - `role_forbidden`: Your role in this organization does not allow this.
             */
            403: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "second_factor_required" | "second_factor_enrolment_required" | "reset_link_refused" | "origin_forbidden" | "role_forbidden";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            404: components["responses"]["OrganizationForbiddenOrOperatorNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    lookAtResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookAtResetLinkRequest"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetLinkView"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            403: components["responses"]["ResetLinkRefusedOrOriginForbidden"];
            404: components["responses"]["ResetLinkInvalid"];
            409: components["responses"]["ResetLinkOtherSession"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    useResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseResetLinkRequest"];
            };
        };
        responses: {
            /** @description The account is reset. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            403: components["responses"]["ResetLinkRefusedOrOriginForbidden"];
            404: components["responses"]["ResetLinkInvalid"];
            409: components["responses"]["ResetLinkOtherSession"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            429: components["responses"]["LoginThrottled"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organizations. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["OriginForbiddenOrPlatformAdministratorRequired"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameOrganizationRequest"];
            };
        };
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requireSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequireSecondFactorRequest"];
            };
        };
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["SecondFactorNotEnrolled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        responses: {
            /** @description The invitation and its link. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                        /** Format: uri */
                        link: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["ResourceConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
                operatorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The former member with their last role, what ended, and what keeps working. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberChange"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrOperatorNotFound"];
            409: components["responses"]["LastOwner"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
                operatorId: string;
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberRoleRequest"];
            };
        };
        responses: {
            /** @description The member, and what ended. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberChange"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrOperatorNotFound"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reviewAccess: {
        parameters: {
            query?: {
                operatorId?: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items to decide about. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessGrantList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations, without their links. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrInvitationNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rollApiKey: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key, with its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrApiKeyNotFound"];
            409: components["responses"]["ApiKeyNotActive"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorWantedOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrApiKeyNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditRecords: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                action?: string;
                operatorId?: string;
                apiKeyId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditRecordPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSettings: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceSettings: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPortalSettings: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings of the page */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSettings"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePortalSettings: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 128 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePortalSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings of the page */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSettings"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSandboxClock: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["SandboxOnly"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceSandboxClockRequest"];
            };
        };
        responses: {
            /** @description The clock and the steps on the way. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockAdvance"];
                };
            };
            400: components["responses"]["ValidationFailedOrBodyUnusable"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbidden"];
            409: components["responses"]["SandboxOnlyOrClockNoBoundaryOrClockBackwards"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["ContentTypeUnsupported"];
            422: components["responses"]["ClockTooManySteps"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeveloperEvents: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only events of this type. */
                eventType?: "USAGE_CHECKED" | "USAGE_TRACKED" | "USAGE_REVERSED" | "ENTITLEMENT_DENIED" | "USAGE_THRESHOLD_REACHED" | "CREDITS_LOW" | "CHECKOUT_CREATED" | "SUBSCRIPTION_CREATED" | "SUBSCRIPTION_CHANGED" | "WEBHOOK_PROCESSED" | "PAYMENT_RECORDED" | "REFUND_RECORDED" | "SETTLEMENT_RECORDED" | "CREDENTIALS_CHANGED" | "PLAN_PRICE_COMPARED" | "WEBHOOK_ENDPOINT_DISABLED";
                /** @description Only events with this status. */
                status?: "OK" | "DENIED" | "PENDING" | "ERROR";
                /** @description Only the event of this check or track. */
                decisionId?: string;
                /** @description Only events of the request with this `Request-Id`. */
                requestId?: string;
                /** @description Only those of the customer with this `id` (`cus_…`). */
                customerId?: string;
                /** @description Only those of the customer with this `externalId`. */
                externalId?: string;
                /** @description Only those of the subscription with this `id` (`sub_…`). */
                subscriptionId?: string;
                /** @description Only events with a `createdAt` at this time or later. */
                from?: string;
                /** @description Only events with a `createdAt` before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Text in the message or the source (case-insensitive), or the id of an event. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeveloperEventPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDecision: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrDecisionNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamDeveloperEvents: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            429: components["responses"]["TooManyStreams"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceBusyOrServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                provider?: "provider_a" | "provider_b" | "provider_c";
                status?: "applied" | "ignored" | "unmatched" | "failed";
                connectionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookFailures: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                /** @description Only those created at this time or later. */
                from?: string;
                /** @description Only those created before this time. */
                to?: string;
                /** @description Page size. */
                take?: components["parameters"]["take"];
                /** @description The `nextCursor` of the previous page, with the same filters. */
                cursor?: components["parameters"]["cursor"];
                connectionId?: string;
                /** @description `signature`: the signature is not valid for this environment; nothing is stored. `unavailable`: the signature could not be verified. `processing`: it was verified but could not be reconciled. */
                kind?: "signature" | "processing" | "unavailable";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of failures */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookFailurePage"];
                };
            };
            400: components["responses"]["ValidationFailedOrCursorInvalidOrTakeInvalid"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequired"];
            404: components["responses"]["OrganizationForbiddenOrWebhookNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query: {
                /** @description The organization to work in. */
                organizationId: components["parameters"]["organizationId"];
                /** @description The environment to work in. */
                env: components["parameters"]["env"];
                dryRun?: "true" | "false";
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it changed, or would change */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["SessionRequired"];
            403: components["responses"]["SecondFactorEnrolmentRequiredOrOriginForbiddenOrRoleForbidden"];
            404: components["responses"]["OrganizationForbiddenOrWebhookNotFound"];
            409: components["responses"]["ConnectionDisabledOrWebhookNotReplayable"];
            500: components["responses"]["CredentialCorruptOrInternalError"];
            /**
             * @description - `service_busy`: The service is overloaded.
             *     - `service_unavailable`: The service cannot reach its database.
             *     - `key_unavailable`: The service does not hold the key for these credentials.
             *     - `webhook_unverifiable`: The webhook cannot be verified or reconciled at the moment.
             */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & ({
                        /** @enum {string} */
                        code: "service_busy" | "service_unavailable" | "key_unavailable" | "webhook_unverifiable";
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
        };
    };
}
