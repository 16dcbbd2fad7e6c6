package winnow.broker;

import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;

/// Warnings in the log about settings that are allowed and that an operator may not want.
final class SettingWarnings {
    private static final Logger LOG = LoggerFactory.getLogger(SettingWarnings.class);

    /// Part of the heap that should be left for the budgets to share.
    private static final int SMALL_HEAP_PART = 8;

    private final BrokerConfig config;
    private final BrokerHeap heap;

    /// @param heap whose budgets are all known
    SettingWarnings(BrokerConfig config, BrokerHeap heap) {
        this.config = config;
        this.heap = heap;
    }

    /// @param bind address where clients connect
    /// @param certified whether there is a certificate for TLS
    void log(InetAddress bind, boolean certified) {
        warnOfClearText(bind, certified);
        warnOfNoPermissions(bind);
        warnOfSmallHeap();
        warnOfLargeLimits();
    }

    /// Says that users are not kept apart.
    private void warnOfNoPermissions(InetAddress bind) {
        if (!bind.isLoopbackAddress() && !config.security().limited()) {
            LOG.warn(
                    "Every user may send to, receive from and administer everything, because there"
                            + " is no security.permissions");
        }
    }

    /// Says that the settings leave the budgets little to share.
    private void warnOfSmallHeap() {
        if (heap.leftBytes() < heap.totalBytes() / SMALL_HEAP_PART) {
            LOG.warn(
                    "Of {} bytes of heap, {} are left for all budgets to share: most are"
                            + " used up long before their limits. Give the virtual machine more"
                            + " (-Xmx), or lower transport.max-frame and transport.frame-buffer",
                    Runtime.getRuntime().maxMemory(),
                    Math.max(0, heap.leftBytes()));
        }
    }

    /// Says which limits can never be reached.
    private void warnOfLargeLimits() {
        for (HeapPart part : heap.parts()) {
            if (part.limitBytes() > heap.totalBytes()) {
                LOG.warn(
                        "The limit of {} is {} bytes, but the heap has {} for all budgets together:"
                                + " what is above is refused earlier. Lower the limit, or give the"
                                + " virtual machine more (-Xmx)",
                        part.name(),
                        part.limitBytes(),
                        heap.totalBytes());
            }
        }
    }

    /// Says what others can read of what is sent to this broker.
    private void warnOfClearText(InetAddress bind, boolean certified) {
        boolean jms = certified && config.tls().jms();
        boolean web = certified && config.tls().http();
        if (bind.isLoopbackAddress() || (jms && web)) {
            return;
        }
        LOG.warn(
                "{} at {}, beyond loopback, without TLS: messages, topics and selectors"
                        + " cross the network in clear text{}. Set tls.certificate, or bind"
                        + " 127.0.0.1",
                jms ? "The HTTP port" : web ? "The port of clients" : "Both ports",
                bind.getHostAddress(),
                config.security().allowPlainTextPasswords()
                        ? ", and so do passwords and tokens by PLAIN, OAUTHBEARER and HTTP"
                        : "; passwords and tokens do not, and those by HTTP are refused");
    }
}
