import { z } from 'zod';
import { MAX_SEATS } from '../domain/subscription-types';

/** A number of seats in requests. */
export const seatsInput = z.int().min(1).max(MAX_SEATS);
