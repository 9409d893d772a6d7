import { Command } from 'commander';

/**
 * Prints the help on `--help`, and ends the process with an error if there are arguments, for a command that is
 * configured only by environment variables.
 *
 * @param description what the command does, in one or more sentences
 */
export function refuseArguments(name: string, description: string): void {
  new Command(name)
    .description(
      `${description} It takes no arguments and is configured by environment variables (docs/configuration.md).`,
    )
    .parse();
}
