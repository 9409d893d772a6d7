import type { Database } from '../db/pools';
import { DAY_MS, type Instant } from '../domain/instant';

/** A device is forgotten after this long without a log-in. */
const KEPT_MS = 180 * DAY_MS;
/** Devices kept per operator: the most recently used. */
const MAX_DEVICES = 20;

/** Whether this operator has logged in from the device with this token. */
export async function isDeviceOf(
  database: Database,
  operatorId: string,
  tokenHash: Buffer,
  now: Instant,
): Promise<boolean> {
  const device = await database('tollgate.operator_devices')
    .where({ operator_id: operatorId, token_hash: tokenHash })
    .where('last_used_at', '>', new Date(now - KEPT_MS))
    .first<{ operator_id: string } | undefined>('operator_id');
  return device !== undefined;
}

/** Whether any operator has logged in from the device with this token. */
export async function isDevice(database: Database, tokenHash: Buffer, now: Instant): Promise<boolean> {
  const device = await database('tollgate.operator_devices')
    .where({ token_hash: tokenHash })
    .where('last_used_at', '>', new Date(now - KEPT_MS))
    .first<{ operator_id: string } | undefined>('operator_id');
  return device !== undefined;
}

/** Remembers a device, and forgets the operator's oldest ones beyond the limit. */
export async function rememberDevice(
  database: Database,
  operatorId: string,
  tokenHash: Buffer,
  now: Instant,
): Promise<void> {
  const at = new Date(now);
  await database('tollgate.operator_devices')
    .insert({ token_hash: tokenHash, operator_id: operatorId, created_at: at, last_used_at: at })
    .onConflict('token_hash')
    .merge({ last_used_at: at, operator_id: operatorId });
  const kept = database('tollgate.operator_devices')
    .where({ operator_id: operatorId })
    .orderBy('last_used_at', 'desc')
    .limit(MAX_DEVICES)
    .select('token_hash');
  await database('tollgate.operator_devices')
    .where({ operator_id: operatorId })
    .whereNotIn('token_hash', kept)
    .delete();
}

/** Forgets a device whose token is being replaced. */
export async function forgetDevice(database: Database, operatorId: string, tokenHash: Buffer): Promise<void> {
  await database('tollgate.operator_devices')
    .where({ operator_id: operatorId, token_hash: tokenHash })
    .delete();
}

/** Forgets every device of the operator. */
export async function forgetDevices(database: Database, operatorId: string): Promise<void> {
  await database('tollgate.operator_devices').where({ operator_id: operatorId }).delete();
}
