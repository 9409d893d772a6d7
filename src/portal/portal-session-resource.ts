import { z } from 'zod';
import { returnUrlInput } from '../checkouts/return-urls';
import { timeSchema } from '../schemas/instant';
import { externalId, identifier } from '../schemas/text';

/** Asks for a link to a customer's page. */
export const createPortalSessionInput = z
  .strictObject({
    customerId: identifier.optional(),
    externalId: externalId.optional(),
    returnUrl: returnUrlInput.optional().meta({
      description:
        'Where the page leads back to: https, or in the sandbox http on loopback; of an origin that the setting `returnOrigins` allows. Without it, the page leads nowhere.',
    }),
  })
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId: send one of the two to name the customer',
  });

export type CreatePortalSessionInput = z.output<typeof createPortalSessionInput>;

/** A link to a customer's page, as the API answers it. */
export const portalSessionSchema = z
  .object({
    id: z.string(),
    url: z.string().meta({
      description:
        'Opens once. Send the customer there at once; whoever has the address can open the page in their place.',
      example: 'https://api.example.com/portal#Jq2…',
    }),
    expiresAt: timeSchema.meta({ description: 'Until when it can be opened; real time, in a sandbox too.' }),
  })
  .meta({ id: 'PortalSession' });

export const endedPortalSessionsSchema = z
  .object({ ended: z.int().meta({ description: 'Links and sessions that were open until now.' }) })
  .meta({ id: 'EndedPortalSessions' });
