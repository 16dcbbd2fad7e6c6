/// Parts that the commands of all modules share: how they answer wrong usage, and where they take
/// user and password from.
///
/// [Commands] runs a command that is started by itself. [UsageErrors] turns a wrong command line
/// into two lines, with a suggestion by [Nearest]. [Credentials] are the options that every command
/// has that connects to a broker.
@NullMarked
package winnow.cli;

import org.jspecify.annotations.NullMarked;
