import { toCsv, type CsvCell } from './csv';
import { saveFile } from './save-file';

/** Offers CSV created here as a file to download. */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  saveFile(name, toCsv(rows), 'text/csv;charset=utf-8');
}
