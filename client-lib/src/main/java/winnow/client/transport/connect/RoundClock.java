package winnow.client.transport.connect;

import java.util.concurrent.TimeUnit;

/// The time that rounds of attempts take, and the pauses between them.
interface RoundClock {
    /// The clock of this machine.
    RoundClock SYSTEM =
            new RoundClock() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void pause(long nanos) throws InterruptedException {
                    TimeUnit.NANOSECONDS.sleep(nanos);
                }
            };

    /// Nanoseconds since some time.
    long nanoTime();

    /// Waits.
    ///
    /// @throws InterruptedException if the thread is interrupted, before or meanwhile
    void pause(long nanos) throws InterruptedException;
}
