package winnow.tests.queues;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Messages on their way through a broker for some seconds.
///
/// @param sent messages, warm-up included
/// @param sentPerSecond sends, confirmed if persistent
/// @param receivedPerSecond messages that consumers got
/// @param latencies how long each send took
/// @param cpuMicros processor time of the broker per message sent; not a number if none was, as in
///   the figures that follow
/// @param processBytes what the broker has had written to files, per message sent
/// @param deviceBytes what was written to the disk, per message sent
record Flow(
        long sent,
        double sentPerSecond,
        double receivedPerSecond,
        Latencies latencies,
        double cpuMicros,
        double processBytes,
        double deviceBytes) {

    /// Measures one.
    ///
    /// @param window that the consumers of the flow count in
    /// @param bounded whether senders keep to the window
    /// @throws IllegalStateException if a sender fails or a send does not return
    static Flow measure(
            Client client,
            SendPlan plan,
            QueueWindow window,
            boolean bounded,
            Gauge gauge,
            Duration warmUp,
            Duration interval)
            throws JMSException, IOException, InterruptedException {
        Senders senders = new Senders(client, plan, bounded ? window : null);
        await(senders, warmUp);
        senders.time();
        long sentBefore = senders.sent();
        long receivedBefore = window.received();
        Gauge.Reading start = gauge.read();
        await(senders, interval);
        Gauge.Reading end = gauge.read();
        long sent = senders.sent() - sentBefore;
        long received = window.received() - receivedBefore;
        Latencies latencies = senders.stop();
        double seconds = (end.nanos() - start.nanos()) / 1e9;
        double messages = sent == 0 ? Double.NaN : sent;
        return new Flow(
                senders.sent(),
                sent / seconds,
                received / seconds,
                latencies,
                (end.cpuNanos() - start.cpuNanos()) / 1e3 / messages,
                (end.processBytes() - start.processBytes()) / messages,
                (end.deviceBytes() - start.deviceBytes()) / messages);
    }

    private static void await(Senders senders, Duration time) throws InterruptedException {
        long deadline = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < deadline && !senders.areDone()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /// All figures, for a table.
    Figures figures() {
        return new Figures()
                .with("msg/s", sentPerSecond)
                .with("p50 us", latencies.micros(0.5))
                .with("p99 us", latencies.micros(0.99))
                .with("received/s", receivedPerSecond)
                .with("broker us/msg", cpuMicros)
                .with("file B/msg", processBytes)
                .with("disk B/msg", deviceBytes);
    }
}
