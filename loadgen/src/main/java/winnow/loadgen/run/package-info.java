/// The coordinator: starts workers, walks through the points, measures and writes results down.
///
/// Read in this order: [LoadRun] (all points of one scenario), [PointRunner] (one point, by the
/// FioranoMQ paper's section 3.2), [Workers], [Worker] and [WorkerProcess] (here; elsewhere:
/// winnow.loadgen.remote), [LoadUse] (what they did), [winnow.loadgen.machine.CpuClock] (broker and
/// client CPU time), [Accounting] (nothing lost, nothing doubled), [Measurement] (what comes out),
/// [FailedPoint] (or why nothing does), [Verdict] and [Validity] (the paper's rules), [Disturbance]
/// by [winnow.loadgen.machine.Calibrator] (what a CPU second was worth), [Limit] (what was
/// saturated), [ResultFiles] (JSON lines and CSV). [Latency] is measured apart, under a light load.
///
/// One thread walks through the run; the coordinator idles while a point is measured.
@NullMarked
package winnow.loadgen.run;

import org.jspecify.annotations.NullMarked;
