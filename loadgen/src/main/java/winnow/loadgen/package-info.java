/// The load generator: measures any Jakarta Messaging broker as the FioranoMQ paper does and fits
/// the paper's service-time model to what it measured.
///
/// ```
/// Main -> RunCommand, DemoCommand -> LoadSession -> run (coordinator) ==> worker (other JVM)
///      -> CompareCommand -> ComparisonRun -> provider (brokers in turn), run
///      -> WorkerCommand ---------------------------> remote (another machine's run) ==> worker
///      -> FitCommand ------------------------------> report -> model
///      -> PlanCommand -----------------------------> forecast -> model
///      -> RoundTripCommand ------------------------> roundtrip
///      -> PubCommand, SubCommand (one connection, for people who debug)
/// ```
///
/// Here are the commands; each package below has a map of its own. Read [Main],
/// [winnow.loadgen.command.RunCommand] and [winnow.loadgen.option.LoadSession], then
/// [winnow.loadgen.run].
@NullMarked
package winnow.loadgen;

import org.jspecify.annotations.NullMarked;
