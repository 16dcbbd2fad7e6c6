package winnow.loadgen.rate;

import jakarta.jms.JMSException;

/// A disturbance beside a load. Owned by the run's thread; it may have threads of its own.
interface SideLoad extends AutoCloseable {

    /// Connects what is to be there before the load begins.
    default void connect() throws JMSException {}

    /// Begins, with the load.
    ///
    /// @param begin of the run, by [System#nanoTime()]
    /// @param window of the time that counts
    default void begin(long begin, RateWindow window) {}

    /// Figures so far.
    SideFigures figures();

    /// Ends it and closes its connections.
    @Override
    void close() throws JMSException;
}
