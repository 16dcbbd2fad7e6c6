package winnow.broker.transport;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Which connections of the HTTP port may stay. When all are in use, the one that has sent no whole
/// request for longest makes way for a new one. Where all have sent one, and wait for their answers
/// or do not read them, a new one gets a place in a small reserve, which answers about health only.
/// So whoever asks for health is answered, whatever others do. Owned by the HTTP thread.
final class HttpConnections {
    /// The new ones push the oldest out of the reserve, so it is as large as the number of
    /// connections that somebody can open while a request for health travels.
    static final int RESERVE = 32;

    private final int max;
    private final LongAdder refused;

    /// Connections that may ask for everything and have sent no whole request, the longest first.
    private final Set<Channel> idle = new LinkedHashSet<>();

    /// The oldest first.
    private final Set<Channel> reserve = new LinkedHashSet<>();

    private int open;

    /// Pages that a new connection may ask for.
    enum Admission {
        ALL_PAGES,
        HEALTH_ONLY
    }

    /// @param refused counts connections that made way or may ask for health only
    HttpConnections(int max, LongAdder refused) {
        this.max = max;
        this.refused = refused;
    }

    Admission admit(Channel channel) {
        if (open >= max) {
            refused.increment();
            closeFirst(idle);
        }
        if (open < max) {
            open++;
            channel.closeFuture().addListener(_ -> onClosed(channel));
            idle.add(channel);
            return Admission.ALL_PAGES;
        }
        if (reserve.size() == RESERVE) {
            closeFirst(reserve);
        }
        reserve.add(channel);
        channel.closeFuture().addListener(_ -> reserve.remove(channel));
        return Admission.HEALTH_ONLY;
    }

    /// The connection has gone from the set when this returns, because it is closed by its own
    /// thread.
    private static void closeFirst(Set<Channel> channels) {
        Iterator<Channel> first = channels.iterator();
        if (first.hasNext()) {
            first.next().close();
        }
    }

    private void onClosed(Channel channel) {
        open--;
        idle.remove(channel);
    }

    /// A whole request has come.
    void onRequest(Channel channel) {
        idle.remove(channel);
    }

    /// All requests that came are answered.
    void onAnswered(Channel channel) {
        if (channel.isActive() && !reserve.contains(channel)) {
            idle.add(channel);
        }
    }
}
