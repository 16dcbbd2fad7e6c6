package winnow.broker;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
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
        warnOfClearDirectory();
        certificateWarnings(config).forEach(LOG::warn);
        warnOfNoPermissions(bind);
        warnOfSmallHeap();
        warnOfLargeLimits();
    }

    /// Says that passwords go to the directory in clear text.
    private void warnOfClearDirectory() {
        if (config.security().ldap().allowClearText()) {
            LOG.warn(
                    "Passwords may cross the network to the directory in clear text"
                            + " (security.ldap.allow-clear-text). Use ldaps:// or"
                            + " security.ldap.start-tls");
        }
    }

    /// Says which port cannot ask for the certificates that prove users.
    static List<String> certificateWarnings(BrokerConfig config) {
        List<String> warnings = new ArrayList<>();
        boolean clear = RunningConfig.takesClearText(config);
        if (config.security().certificates().enabled() && !config.tls().jms()) {
            warnings.add(
                    "Clients of JMS cannot log in by certificate (security.certificates.user),"
                            + " because their port has no TLS (tls.jms=false). Set tls.jms=true,"
                            + " or let them log in by a password of security.users (SCRAM)"
                            + (clear
                                    ? ", a token or PLAIN"
                                    : "; a token or PLAIN needs"
                                            + " security.allow-plain-text-passwords=true"));
        }
        if (config.security().certificates().enabled() && !config.tls().http()) {
            warnings.add(
                    "HTTP requests cannot prove users by certificate"
                            + " (security.certificates.user), because their port has no TLS"
                            + " (tls.http=false). Set tls.http=true, or use http.socket, or let"
                            + " them have a password or a token"
                            + (clear
                                    ? ""
                                    : ", which needs"
                                            + " security.allow-plain-text-passwords=true"));
        }
        return warnings;
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
