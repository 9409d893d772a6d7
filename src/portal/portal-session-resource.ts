import { z } from 'zod';
import { returnUrlInput } from '../checkouts/return-urls';
import { timeSchema } from '../schemas/instant';
import { externalId, identifier } from '../schemas/text';

/** Request for a link to a customer's page. */
export const createPortalSessionInput = z
  .strictObject({
    customerId: identifier.optional(),
    externalId: externalId.optional(),
    returnUrl: returnUrlInput.optional().meta({
      description:
        'Target of the page’s back link: https, or in the sandbox http on loopback, with an origin that the setting `returnOrigins` allows. Without it, the page has no back link.',
    }),
  })
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId: send one of the two to name the customer',
    params: { fix: 'Send either customerId or externalId.' },
  });

export type CreatePortalSessionInput = z.output<typeof createPortalSessionInput>;

/** A link to a customer's page, as returned by the API. */
export const portalSessionSchema = z
  .object({
    id: z.string(),
    url: z.string().meta({
      description:
        'Works once. Redirect the customer immediately: anyone who has the address can open the page in their place.',
      example: 'https://api.example.com/portal#Jq2…',
    }),
    expiresAt: timeSchema.meta({ description: 'When the link expires; real time, in a sandbox too.' }),
  })
  .meta({ id: 'PortalSession' });

export const endedPortalSessionsSchema = z
  .object({ ended: z.int().meta({ description: 'Number of links and sessions that were open.' }) })
  .meta({ id: 'EndedPortalSessions' });
