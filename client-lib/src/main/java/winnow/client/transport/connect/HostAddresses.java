package winnow.client.transport.connect;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;

/// Finds the addresses of host names. The system's look-up can neither be interrupted nor limited
/// in time, so it runs in a thread of its own, which all who want the same name wait for.
/// Thread-safe.
final class HostAddresses {
    /// Asks the system for all addresses of a name. May block for long.
    interface Lookup {
        InetAddress[] addressesOf(String host) throws UnknownHostException;
    }

    static final HostAddresses SYSTEM = new HostAddresses(InetAddress::getAllByName);

    /// Names that are looked up at the same time. A dead name server holds each for half a minute.
    private static final int MAX_RUNNING = 64;

    private static final int MAX_NAME_CHARACTERS = 253;
    private static final int MAX_LABEL_CHARACTERS = 63;

    private final Lookup lookup;

    /// The look-ups that run, by name. Guarded by itself.
    private final Map<String, FutureTask<List<InetAddress>>> running = new HashMap<>();

    HostAddresses(Lookup lookup) {
        this.lookup = lookup;
    }

    /// Returns the addresses of a host, at least one, in the order in which to try them.
    ///
    /// @param host a name or a literal address
    /// @throws TransportException if there are none, or it took too long
    List<InetAddress> of(String host, long timeoutNanos) throws TransportException {
        try {
            if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
                // Of a literal, the system looks nothing up.
                return List.of(InetAddress.getByName(host));
            }
            requireShort(host);
            return lookUp(host).get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (UnknownHostException e) {
            throw unknown(host, e);
        } catch (ExecutionException e) {
            throw unknown(host, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new TransportException(
                    LocalFailure.TIMED_OUT,
                    "the host name was not resolved within %d ms"
                            .formatted(TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    LocalFailure.INTERRUPTED, "interrupted while the host name was resolved");
        }
    }

    private FutureTask<List<InetAddress>> lookUp(String host) throws TransportException {
        synchronized (running) {
            FutureTask<List<InetAddress>> known = running.get(host);
            // What was answered before this call may be out of date.
            if (known != null && !known.isDone()) {
                return known;
            }
            if (running.size() >= MAX_RUNNING) {
                throw new TransportException(
                        LocalFailure.CONNECT_FAILED,
                        "%d other host names are being resolved, which is the limit"
                                .formatted(MAX_RUNNING));
            }
            FutureTask<List<InetAddress>> begun =
                    new FutureTask<>(() -> List.of(lookup.addressesOf(host))) {
                        @Override
                        protected void done() {
                            synchronized (running) {
                                running.remove(host, this);
                            }
                        }
                    };
            Thread thread = new Thread(begun, "winnow-resolver");
            thread.setDaemon(true);
            thread.start();
            running.put(host, begun);
            return begun;
        }
    }

    private static TransportException unknown(String host, Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String why = text.startsWith(host + ": ") ? text.substring(host.length() + 2) : text;
        String suffix = why.equals(host) ? "" : " (" + why + ")";
        return new TransportException(LocalFailure.CONNECT_FAILED, "unknown host name" + suffix);
    }

    private static void requireShort(String host) throws TransportException {
        if (host.length() > MAX_NAME_CHARACTERS) {
            throw tooLong(host.length() + " characters", MAX_NAME_CHARACTERS);
        }
        for (String label : host.split("\\.", -1)) {
            if (label.length() > MAX_LABEL_CHARACTERS) {
                throw tooLong(
                        label.length() + " characters between two dots", MAX_LABEL_CHARACTERS);
            }
        }
    }

    private static TransportException tooLong(String found, int limit) {
        return new TransportException(
                LocalFailure.CONNECT_FAILED,
                "the host name is too long: %s, at most %d are possible".formatted(found, limit));
    }
}
