package winnow.client.error;

import javax.transaction.xa.XAException;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.Xid;

/// The one place where failures become exceptions of XA, which have a code and a text.
public final class XAErrors {
    private XAErrors() {}

    public static XAException of(int code, String text) {
        XAException made = new XAException(text);
        made.errorCode = code;
        return made;
    }

    public static XAException of(int code, Exception cause) {
        XAException made = of(code, String.valueOf(cause.getMessage()));
        made.initCause(cause);
        return made;
    }

    /// The call has no meaning in the state that the branch is in.
    public static XAException protocol(String text) {
        return of(XAException.XAER_PROTO, text);
    }

    public static XAException unknown(Xid xid) {
        return of(XAException.XAER_NOTA, "transaction " + xid + " is not known");
    }

    public static XAException flags(String method, int flags) {
        return of(
                XAException.XAER_INVAL,
                "%s: expected other flags, found 0x%x".formatted(method, flags));
    }

    /// True if the broker has said that nothing has taken effect; only of a connection that has not
    /// ended.
    public static boolean isRefusal(TransportException failure) {
        return failure.local() == null
                && failure.code() != ErrorCode.STORE_UNAVAILABLE
                && failure.code() != ErrorCode.SHUTTING_DOWN
                && failure.code() != ErrorCode.INTERNAL_ERROR;
    }

    /// A decision was not carried out. A store that takes nothing may do so later.
    public static XAException ofDecision(TransportException failure) {
        return switch (failure.code()) {
            case UNKNOWN_TRANSACTION -> of(XAException.XAER_NOTA, failure);
            default -> of(XAException.XAER_RMFAIL, failure);
        };
    }
}
