import { z } from 'zod';

const MAX_SEATS = 1_000_000;

/** A number of seats in requests. */
export const seatsInput = z.int().min(1).max(MAX_SEATS);
