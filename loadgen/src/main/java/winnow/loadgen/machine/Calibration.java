package winnow.loadgen.machine;

/// Tells what a CPU second is worth at the moment. Used by one thread.
@FunctionalInterface
public interface Calibration {

    /// CPU time of a fixed piece of work, now, in microseconds: longer where a CPU second is worth
    /// less.
    double calibrate() throws InterruptedException;
}
