package winnow.broker.transport;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import java.util.Set;
import java.util.TreeSet;

/// The headers of a request that somebody looks at. Others are not kept: within the limit of their
/// length there may be two thousand, and each takes ninety bytes of heap.
final class RequestHeaders extends DefaultHttpHeaders {
    /// Makes those in front of a body.
    static final HttpHeadersFactory FACTORY = new Factory(32);

    /// Makes those behind a body, which nobody looks at.
    static final HttpHeadersFactory TRAILERS = new Factory(0);

    private static final Set<String> KNOWN = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        KNOWN.addAll(
                Set.of(
                        "Accept",
                        "Accept-Encoding",
                        "Authorization",
                        "Connection",
                        "Content-Length",
                        "Content-Type",
                        "Expect",
                        "Host",
                        "If-Match",
                        "If-None-Match",
                        "Origin",
                        "Transfer-Encoding",
                        "Upgrade"));
    }

    /// Characters of a name besides letters and digits (RFC 9110, 5.6.2).
    private static final String NAME_CHARACTERS = "!#$%&'*+-.^_`|~";

    private final int most;

    private RequestHeaders(int most) {
        this.most = most;
    }

    /// @param most headers of a request; 0 to keep none
    private record Factory(int most) implements HttpHeadersFactory {
        @Override
        public HttpHeaders newHeaders() {
            return new RequestHeaders(most);
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return newHeaders();
        }
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        return keeps(name) ? super.add(name, value) : this;
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        return keeps(name.toString()) ? super.add(name, value) : this;
    }

    private boolean keeps(String name) {
        if (most == 0) {
            return false;
        }
        if (!KNOWN.contains(name)) {
            check(name);
            return false;
        }
        if (size() >= most) {
            throw new TooLongHttpHeaderException("more than " + most + " headers");
        }
        return true;
    }

    /// One that looks like a known header, and is none, must not be passed over (RFC 9112, 5.1).
    private static void check(String name) {
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            boolean letter = (each | 0x20) >= 'a' && (each | 0x20) <= 'z';
            boolean digit = each >= '0' && each <= '9';
            if (!letter && !digit && NAME_CHARACTERS.indexOf(each) < 0) {
                throw new IllegalArgumentException(
                        "the name of a header has the character " + (int) each);
            }
        }
    }
}
