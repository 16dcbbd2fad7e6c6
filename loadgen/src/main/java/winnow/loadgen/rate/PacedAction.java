package winnow.loadgen.rate;

import jakarta.jms.JMSException;

/// A thing that is repeated beside a load. Owned by one thread.
interface PacedAction extends AutoCloseable {

    /// Does it once.
    ///
    /// @param number of repetitions before it
    void perform(long number) throws JMSException;

    @Override
    void close() throws JMSException;
}
