package winnow.broker.session;

import java.util.function.BooleanSupplier;
import winnow.broker.destination.SlicedWork;

/// Sends what waited for a connection's socket, once that takes bytes again: step by step, in turn
/// with what waits for other sockets of the loop. Owned by the connection's event loop.
final class SendTurns implements SlicedWork.Work {
    private final SlicedWork work;
    private final Output output;
    private final BooleanSupplier sendSome;
    private boolean waiting;
    private boolean closed;

    /// @param work of the connection's loop
    /// @param sendSome sends a little, and tells whether there is more that can be sent now
    SendTurns(SlicedWork work, Output output, BooleanSupplier sendSome) {
        this.work = work;
        this.output = output;
        this.sendSome = sendSome;
    }

    /// The socket takes bytes again.
    void onWritable() {
        if (!waiting && !closed) {
            waiting = true;
            work.add(this);
        }
    }

    @Override
    public boolean step() {
        waiting = false;
        if (closed) {
            return false;
        }
        try {
            waiting = sendSome.getAsBoolean();
        } catch (Throwable fault) {
            output.loop().faults().onFault(output, fault);
        }
        return waiting;
    }

    /// The connection has gone.
    void close() {
        closed = true;
    }
}
